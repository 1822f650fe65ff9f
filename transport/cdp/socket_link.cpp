#include "transport/cdp/socket_link.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <nlohmann/json.hpp>

#include <utility>

namespace gasoline {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;

/// The host of a browser's own page names, without which it answers nothing.
std::string host_of(const browser_door& door) {
  const bool is_six = door.host.find(':') != std::string::npos;
  return (is_six ? "[" + door.host + "]" : door.host) + ":" + std::to_string(door.port);
}

/// The path in `ws://127.0.0.1:9222/devtools/browser/…`; empty: there is none.
std::string path_in(const std::string& answer) {
  const auto version = nlohmann::json::parse(answer, nullptr, false);
  if (!version.is_object() || !version.contains("webSocketDebuggerUrl") ||
      !version["webSocketDebuggerUrl"].is_string())
    return {};
  const auto url = version["webSocketDebuggerUrl"].get<std::string>();
  const auto host = url.find("://");
  const auto path = host == std::string::npos ? host : url.find('/', host + 3);
  return path == std::string::npos ? std::string{} : url.substr(path);
}

constexpr const char* none_found =
    "No browser of yours can be attached to: none listens on this machine. Start one with "
    "--remote-debugging-port=9222 and --user-data-dir=DIR, or allow it in a running Chrome at "
    "chrome://inspect/#remote-debugging; or let the engine launch its own: --browser launch.";

} // namespace

socket_link::socket_link(boost::asio::io_context& io, std::vector<browser_door> doors,
                         std::uint64_t number, browser_reader reader,
                         const limits_of<browser_room>& limit)
    : io_(io),
      doors_(std::move(doors)),
      number_(number),
      reader_(std::move(reader)),
      limit_(limit),
      splitter_(limit.browser.message_bytes) {}

void socket_link::start() {
  try_next();
}

void socket_link::try_next() {
  if (!reader_)
    return;
  if (next_ == doors_.size())
    return lose(none_found, true);
  const auto& door = doors_[next_++];
  asks_user_ = false;
  connect(&socket_link::ask_path);
  path_ = door.path;
}

/// To the door that is tried.
void socket_link::connect(void (socket_link::*then)()) {
  const auto& door = doors_[next_ - 1];
  error_code ec;
  const auto address = boost::asio::ip::make_address(door.host, ec);
  stream_.emplace(io_);
  stream_->next_layer().async_connect(
      {address, door.port}, [self = shared_from_this(), then](const error_code& failed) {
        if (failed)
          return self->try_next();
        // A command would wait for the answer to the one before.
        error_code ignored;
        self->stream_->next_layer().set_option(tcp::no_delay(true), ignored);
        ((*self).*then)();
      });
}

/// Where its WebSocket is. One that asks its user before does not say, but has written it down.
void socket_link::ask_path() {
  if (!reader_)
    return;
  question_ = {http::verb::get, "/json/version", 11};
  question_.set(http::field::host, host_of(doors_[next_ - 1]));
  question_.set(http::field::connection, "close");
  answer_ = {};
  head_.clear();
  http::async_write(stream_->next_layer(), question_,
                    [self = shared_from_this()](const error_code& ec, std::size_t) {
                      if (ec)
                        return self->try_next();
                      http::async_read(self->stream_->next_layer(), self->head_, self->answer_,
                                       [self](const error_code& failed, std::size_t) {
                                         if (failed)
                                           return self->try_next();
                                         self->take_path();
                                       });
                    });
}

void socket_link::take_path() {
  const auto told = answer_.result() == http::status::ok ? path_in(answer_.body()) : std::string{};
  asks_user_ = told.empty();
  if (!told.empty())
    path_ = told;
  if (path_.empty())
    return try_next();
  error_code ignored;
  stream_->next_layer().close(ignored);
  connect(&socket_link::begin);
}

void socket_link::begin() {
  if (!reader_)
    return;
  head_.clear();
  stream_->read_message_max(0); // the splitter bounds them
  stream_->async_handshake(host_of(doors_[next_ - 1]), path_,
                           [self = shared_from_this()](const error_code& ec) {
                             if (ec && self->asks_user_ && self->reader_)
                               return self->lose("The browser's user did not let it be driven; "
                                                 "the next interact asks again.",
                                                 false);
                             if (ec)
                               return self->try_next();
                             self->is_open_ = true;
                             self->stream_->text(true);
                             if (!self->waiting_.empty())
                               self->write();
                             self->read();
                           });
}

void socket_link::send(std::string message) {
  if (!reader_)
    return;
  if (waiting_bytes_ + message.size() > limit_.browser.unsent_bytes)
    return lose("The browser takes no more commands: it hangs. It was left.", !asks_user_);
  waiting_bytes_ += message.size();
  waiting_.push_back(std::move(message));
  if (is_open_ && waiting_.size() == 1)
    write();
}

void socket_link::write() {
  stream_->async_write(boost::asio::buffer(waiting_.front()),
                       [self = shared_from_this()](const error_code& ec, std::size_t) {
                         if (ec || !self->reader_)
                           return; // the end of its messages says what is wrong
                         self->waiting_bytes_ -= self->waiting_.front().size();
                         self->waiting_.pop_front();
                         if (!self->waiting_.empty())
                           self->write();
                       });
}

void socket_link::read() {
  stream_->async_read_some(boost::asio::buffer(piece_), [self = shared_from_this()](
                                                            const error_code& ec, std::size_t n) {
    if (!self->reader_)
      return;
    if (ec)
      return self->lose("The browser has ended, or has let go of us.", !self->asks_user_);
    const auto tell = [&](std::string message) {
      caf::anon_send(self->reader_, said_atom_v, self->number_, std::move(message));
    };
    self->splitter_.take({self->piece_.data(), n}, tell);
    if (self->stream_->is_message_done())
      self->splitter_.take(std::string_view{"\0", 1}, tell);
    self->read();
  });
}

void socket_link::lose(std::string sentence, bool may_retry) {
  if (reader_)
    caf::anon_send(reader_, lost_atom_v, number_, browser_loss{std::move(sentence), may_retry});
  close();
}

void socket_link::close() {
  reader_ = browser_reader{};
  error_code ignored;
  if (stream_)
    stream_->next_layer().close(ignored);
}

} // namespace gasoline
