#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace gasoline {

/// A response body that is written piece by piece (Server-Sent Events). Belongs to the io thread.
/// Pieces that wait are joined into one write. A client that lets more than
/// `http_stream_unsent_bytes` pile up, or takes nothing for `http_read_timeout_ms`, is
/// disconnected. The handlers are called from the io loop, never from within a call of this
/// interface.
class http_stream {
 public:
  virtual ~http_stream() = default;

  /// Appends bytes; false when the client is gone.
  virtual bool write(std::string bytes) = 0;

  /// The same for bytes that many streams send; nothing is copied.
  virtual bool write(std::shared_ptr<const std::string> bytes) = 0;

  /// Ends the body after what was written; the connection may serve further requests.
  virtual void finish() = 0;

  /// Disconnects at once.
  virtual void abort() = 0;

  /// Bytes that the socket has not taken yet.
  virtual std::uint64_t unsent() const = 0;

  /// Called once when the client has gone or was disconnected, not after `finish`.
  virtual void on_closed(std::function<void()> handler) = 0;

  /// Called each time when everything written has been sent.
  virtual void on_drained(std::function<void()> handler) = 0;
};

using http_stream_ptr = std::shared_ptr<http_stream>;

} // namespace gasoline
