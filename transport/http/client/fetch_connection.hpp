#pragma once

#include "config/http_url.hpp"
#include "config/limits.hpp"
#include "messages/agents/http_fetch.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace gasoline {

/// The connection of one request to a server elsewhere. Runs on the thread of its io context.
class fetch_connection : public std::enable_shared_from_this<fetch_connection> {
 public:
  /// `tls` is null for http; else it outlives the connection's handshake.
  fetch_connection(boost::asio::io_context& io, boost::asio::ssl::context* tls, http_url url,
                   fetch_request request, fetch_reader reader,
                   const limits_of<http_room, session_room>& limit);

  /// Resolves, connects, sends, and tells the reader what comes.
  void start();

  /// Ends the connection; the reader is told nothing any more.
  void cancel();

 private:
  using error_code = boost::system::error_code;
  using response_parser = boost::beast::http::response_parser<boost::beast::http::buffer_body>;

  /// Calls `action` with the stream that carries the bytes.
  template <class Action>
  void on_stream(Action action) {
    if (tls_)
      action(*tls_);
    else
      action(tcp_);
  }

  void limit_resolving();
  void connect(const boost::asio::ip::tcp::resolver::results_type& addresses);
  void shake_hands();
  void send();
  void read_head();
  void take_head();
  void read_body();
  void take_body(const error_code& ec);
  void finish();
  void fail(const error_code& ec, std::string_view doing);
  void fail(fetch_problem problem, std::string message);
  bool prepare_tls();

  boost::asio::ip::tcp::resolver resolver_;
  boost::asio::steady_timer resolve_limit_; ///< runs while the name is resolved
  boost::beast::tcp_stream tcp_;
  std::optional<boost::asio::ssl::stream<boost::beast::tcp_stream&>> tls_;
  http_url url_;
  bool local_only_;
  boost::beast::http::request<boost::beast::http::string_body> request_;
  fetch_reader reader_; ///< null: told its end, or cancelled
  limits_of<http_room, session_room> limit_;
  boost::beast::flat_buffer received_;
  std::optional<response_parser> parser_;
  std::array<char, 16384> piece_{};
};

} // namespace gasoline
