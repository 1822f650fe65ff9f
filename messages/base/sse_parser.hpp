#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// One event that a reader dispatches.
struct sse_received {
  std::string id; ///< the last one that was given
  std::string type{"message"};
  std::string data;
};

/// Reads a Server-Sent Events stream piece by piece, as the HTML standard has it (section 9.2.6):
/// lines end by CR, LF or CR LF, a mark of byte order may stand first; what an interrupted stream
/// ends with is dropped.
class sse_parser {
 public:
  /// Lines and events above `most_bytes` are dropped, which `overflowed` tells. `typed_field`: a
  /// field that the standard does not know, by which some servers send data of an event of that
  /// type (`error: {…}`).
  explicit sse_parser(std::size_t most_bytes, std::string_view typed_field = {})
      : most_bytes_(most_bytes), typed_field_(typed_field) {}

  /// Takes the next bytes; calls `take` with each event that is complete.
  void feed(std::string_view bytes, const std::function<void(const sse_received&)>& take);

  /// The stream broke off: the rest of the next one is another's beginning.
  void restart();

  /// Whether anything was dropped so far.
  bool overflowed() const { return overflowed_; }

  /// What to send as `Last-Event-ID`; empty: none was received.
  const std::string& last_id() const { return last_id_; }

  /// The time to wait before coming back, in milliseconds, if the server gave one.
  std::optional<std::uint64_t> retry_ms() const { return retry_ms_; }

 private:
  void take_line(const std::function<void(const sse_received&)>& take);
  void take_field(std::string_view name, std::string_view value);
  void add_data(std::string_view value);

  std::size_t most_bytes_;
  std::string typed_field_;
  std::string line_;
  std::string type_;
  std::string data_;
  std::string id_; // of the event that is being read
  std::string last_id_;
  std::optional<std::uint64_t> retry_ms_;
  bool begun_ = false;
  bool after_cr_ = false;
  bool has_data_ = false;
  bool overflowed_ = false;
};

} // namespace gasoline
