#pragma once

#include "transport/http/hangup_watch.hpp"
#include "transport/http/http_deadline.hpp"
#include "transport/http/http_router.hpp"
#include "transport/http/http_takeover.hpp"
#include "transport/http/http_traffic.hpp"
#include "transport/http/traffic_share.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace gasoline {

class http_chunk_stream;

/// One accepted connection: reads requests one after the other, answers each before it reads the
/// next, keeps all caps and deadlines. Lives in `http_traffic::open`
/// until it closes. Used on the io thread only, but for replies, which may come from any thread.
class http_connection : public std::enable_shared_from_this<http_connection> {
 public:
  http_connection(http_socket socket, std::shared_ptr<http_traffic> traffic);
  http_connection(const http_connection&) = delete;
  http_connection& operator=(const http_connection&) = delete;

  /// Joins `http_traffic::open` and starts reading.
  void start();

  /// Drops whatever is under way; nothing is written afterwards.
  void close();

  /// For the stream of this connection: writes what fits of these buffers, then tells it.
  void write_stream(std::span<const boost::asio::const_buffer> parts);

  /// For the stream of this connection: its last byte has been written.
  void end_stream();

  /// For the stream of this connection: too much is unsent.
  void disconnect_slow_reader();

  /// What this connection has of the bytes of all.
  traffic_share& share() { return share_; }

 private:
  class reply_slot;

  enum class phase : std::uint8_t {
    idle,      ///< between requests, nothing of the next one has come
    head,      ///< a request line or headers are arriving
    body,      ///< its body is arriving
    waiting,   ///< a route has it
    writing,   ///< the response is leaving
    streaming, ///< a route writes the body piece by piece
    lingering, ///< the last response has left; discards what the client still sends
    closed
  };

  template <class F>
  void guarded(F step);
  void begin_request();
  void free_body_buffer();
  void read();
  void on_read(const boost::system::error_code& ec, std::size_t bytes);
  void pump();
  void read_head();
  void refuse_lines();
  peer_user client_user();
  void on_head();
  void read_body();
  void send_continue();
  void on_request();
  void on_inflated(inflated_body inflated);
  void serve(std::string body);
  http_reply make_reply();
  void on_reply(http_response response);
  void refuse_overload();
  void refuse_parse_error(const boost::system::error_code& ec);
  void refuse_and_close(http_response response);
  void refuse(http_response response);
  void respond(http_response response);
  void write_response(http_response response, body_framing framing);
  void on_written(const boost::system::error_code& ec);
  void begin_stream(http_response response);
  void begin_takeover(http_response response);
  void hand_over();
  void refuse_stream();
  void on_stream_written(const boost::system::error_code& ec, std::size_t bytes);
  http_watch make_watch();
  void watch_client();
  void on_client_readable(const boost::system::error_code& ec);
  bool take_early_bytes();
  void watch_for_hangup();
  void next_request();
  void linger();
  void discard(std::size_t bytes);
  void refuse_answer();
  void expire_after(std::uint64_t milliseconds);
  void expect_progress();
  bool has_progressed();
  void on_deadline();

  http_socket socket_;
  std::shared_ptr<http_traffic> traffic_;
  traffic_share share_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  http_request_view head_; // views into parser_
  std::optional<peer_user> user_;
  http_plan plan_;
  std::string out_head_;
  std::string out_body_;
  phase phase_ = phase::idle;
  connection_fate fate_ = connection_fate::keep;
  bool timed_out_ = false;
  bool watching_ = false;                // a wait for bytes or the end of the client is under way
  std::function<void()> gone_;           // told when the client goes before it was answered
  std::unique_ptr<hangup_watch> hangup_; // once too much came early to go on reading
  std::shared_ptr<http_chunk_stream> stream_;
  std::function<void(http_takeover&)> takeover_; // set: follows the head that is being written
  std::uint64_t head_bytes_ = 0;                 // of this request
  std::uint64_t head_lines_ = 0;                 // of this request
  std::uint64_t discarded_bytes_ = 0;
  http_deadline deadline_;
  std::optional<int> untaken_; // bytes that the client had not taken at half of the time it has
};

} // namespace gasoline
