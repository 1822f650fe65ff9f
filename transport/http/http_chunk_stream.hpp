#pragma once

#include "transport/http/http_router.hpp"
#include "transport/http/http_stream.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gasoline {

class http_connection;

/// The streamed body of one response of a connection. One gather write is under way at a time;
/// pieces that come meanwhile leave together in the next as one chunk: 48 pieces of 300 bytes take
/// 6 µs so, and 51 µs as chunks of their own by Boost.Beast's `make_chunk`.
class http_chunk_stream : public http_stream {
 public:
  using executor = boost::asio::io_context::executor_type;

  /// `head` leaves before the first piece. Nothing is sent before `start`.
  http_chunk_stream(const executor& io, std::weak_ptr<http_connection> connection,
                    body_framing framing, std::uint64_t unsent_cap, std::string head);

  bool write(std::string bytes) override;
  bool write(std::shared_ptr<const std::string> bytes) override;
  void finish() override;
  void abort() override;
  std::uint64_t unsent() const override { return unsent_; }
  void on_closed(std::function<void()> handler) override;
  void on_drained(std::function<void()> handler) override { drained_ = std::move(handler); }

  /// Sends the head and what was written so far. This and the following are for the connection.
  void start(http_connection& connection);

  /// The socket took that many bytes of the write that was under way.
  void on_written(http_connection& connection, std::size_t bytes);

  /// The connection has closed.
  void detach();

 private:
  using piece = std::shared_ptr<const std::string>;

  void send_next(http_connection& connection);
  void gather();
  void add_chunk_end();
  std::span<const boost::asio::const_buffer> unwritten() const;

  executor io_;
  std::weak_ptr<http_connection> connection_;
  std::deque<piece> waiting_;
  std::vector<piece> batch_; // owns what parts_ points to
  std::vector<boost::asio::const_buffer> parts_;
  std::size_t first_part_ = 0; // those before it have been written
  std::string prefix_;         // the head of the response, then of the chunk
  std::uint64_t unsent_ = 0;
  std::uint64_t batch_bytes_ = 0;
  std::function<void()> closed_;
  std::function<void()> drained_;
  const std::uint64_t unsent_cap_;
  const body_framing framing_;
  bool writing_ = true; // until `start`, so that the first pieces leave with the head
  bool finished_ = false;
  bool end_sent_ = false;
};

} // namespace gasoline
