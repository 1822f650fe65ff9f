#pragma once

#include "config/limits.hpp"
#include "messages/browser/browser_link.hpp"
#include "transport/cdp/message_splitter.hpp"
#include "transport/cdp/running_browsers.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// The user's own browser, at the other end of a WebSocket: the first of some doors behind which
/// one listens. One that asks its user first is waited for, however long that takes, and never
/// asked twice. Runs on the thread of its io context.
class socket_link : public std::enable_shared_from_this<socket_link> {
 public:
  socket_link(boost::asio::io_context& io, std::vector<browser_door> doors, std::uint64_t number,
              browser_reader reader, const limits_of<browser_room>& limit);

  void start();
  void send(std::string message);
  /// The browser stays.
  void close();
  std::uint64_t dropped() const { return splitter_.dropped(); }

 private:
  using error_code = boost::system::error_code;
  using tcp = boost::asio::ip::tcp;

  void try_next();
  void ask_path();
  void take_path();
  void open(const std::string& path);
  void connect(void (socket_link::*then)());
  void begin();
  void read();
  void write();
  void lose(std::string sentence, bool may_retry);

  boost::asio::io_context& io_;
  std::vector<browser_door> doors_;
  std::size_t next_ = 0;
  std::optional<boost::beast::websocket::stream<tcp::socket>> stream_;
  boost::beast::flat_buffer head_;
  boost::beast::http::request<boost::beast::http::empty_body> question_;
  boost::beast::http::response<boost::beast::http::string_body> answer_;
  std::string path_; // of the WebSocket that is tried
  std::uint64_t number_;
  browser_reader reader_; // null: told its end, or closed
  limits_of<browser_room> limit_;
  message_splitter splitter_;
  std::deque<std::string> waiting_; // to be sent, the first is under way
  std::size_t waiting_bytes_ = 0;
  bool is_open_ = false;
  bool asks_user_ = false; // this browser does not say where its WebSocket is
  std::array<char, 65536> piece_{};
};

} // namespace gasoline
