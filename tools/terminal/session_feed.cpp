#include "tools/terminal/session_feed.hpp"

#include "messages/base/json/json_text.hpp"
#include "tools/terminal/engine_call.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include <optional>
#include <utility>

namespace gasoline {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using nlohmann::json;

constexpr std::size_t most_frame_bytes = 256U << 20U;
constexpr std::chrono::seconds write_within{10};
constexpr std::chrono::milliseconds close_within{250};

user_error stream_fault(const std::string& what) {
  return user_error{"The session's stream cannot be opened (" + what + ")."};
}

feed_deadline from_now(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

/// Every operation is an asynchronous one, so that it can be given up. One that was given up is
/// never heard of again, since nothing runs the context after that.
class beast_stream final : public session_feed {
 public:
  /// `target` from the session's `ws_url`.
  std::optional<user_error> open(const settings& config, const asio::ip::tcp::endpoint& engine,
                                 const std::string& target, feed_deadline until) {
    stream_.read_message_max(most_frame_bytes);
    auto ec =
        run([&](auto done) { stream_.next_layer().async_connect(engine, std::move(done)); }, until);
    if (ec)
      return stream_fault(ec.message());
    auto token = engine_token(config, stream_.next_layer().socket());
    if (!token)
      return token.error();
    stream_.set_option(websocket::stream_base::decorator(
        [token = std::move(*token)](websocket::request_type& request) {
          if (!token.empty())
            request.set(beast::http::field::authorization, "Bearer " + token);
        }));
    ec = run([&](auto done) { stream_.async_handshake("127.0.0.1", target, std::move(done)); },
             until);
    return ec ? std::optional{stream_fault(ec.message())} : std::nullopt;
  }

  void write(const json& frame) override {
    const auto text = dumped(frame);
    run([&](auto done) { stream_.async_write(asio::buffer(text), std::move(done)); },
        from_now(write_within));
  }

  feed_news read(feed_deadline until) override {
    if (is_broken_)
      return feed_close{};
    if (!is_reading_)
      begin_read();
    run_until(until, [this] { return read_.has_value(); });
    if (!read_)
      return feed_silence{};
    is_reading_ = false;
    if (*std::exchange(read_, std::nullopt))
      return end();
    return feed_frame{beast::buffers_to_string(buffer_.data())};
  }

  void close(std::uint16_t code) override {
    run([&](auto done) { stream_.async_close(websocket::close_code{code}, std::move(done)); },
        from_now(close_within));
    is_broken_ = true;
  }

 private:
  void begin_read() {
    is_reading_ = true;
    buffer_.clear();
    stream_.async_read(buffer_, [this](beast::error_code ec, std::size_t) { read_ = ec; });
  }

  feed_close end() {
    is_broken_ = true;
    const auto& reason = stream_.reason();
    if (reason.code == websocket::close_code::none)
      return {};
    return {reason.code, std::string{reason.reason.c_str(), reason.reason.size()}};
  }

  /// Runs one operation to its end; a read that is under way may end meanwhile.
  template <class Start>
  beast::error_code run(Start start, feed_deadline until) {
    if (is_broken_)
      return asio::error::not_connected;
    std::optional<beast::error_code> out;
    start([&out](beast::error_code ec, auto&&...) { out = ec; });
    run_until(until, [&out] { return out.has_value(); });
    is_broken_ = !out || *out;
    return out.value_or(asio::error::timed_out);
  }

  template <class Done>
  void run_until(feed_deadline until, Done done) {
    io_.restart();
    while (!done() && io_.run_one_until(until) > 0) {
    }
  }

  asio::io_context io_;
  websocket::stream<beast::tcp_stream> stream_{io_};
  beast::flat_buffer buffer_;
  bool is_reading_ = false;
  std::optional<beast::error_code> read_; // how the read has ended
  bool is_broken_ = false;
};

/// Path and query of a `ws://` URL.
std::string target_of(std::string_view url) {
  const auto host = url.find("://");
  const auto path = host == std::string_view::npos ? host : url.find('/', host + 3);
  return std::string{path == std::string_view::npos ? std::string_view{} : url.substr(path)};
}

} // namespace

result_or<std::unique_ptr<session_feed>>
open_session_feed(const settings& config, std::string_view url, feed_deadline until) {
  const auto target = target_of(url);
  if (target.empty())
    return tl::unexpected(stream_fault("the engine names no address for it"));
  const auto engine = engine_endpoint(config);
  if (!engine)
    return tl::unexpected(engine.error());
  auto stream = std::make_unique<beast_stream>();
  if (const auto problem = stream->open(config, *engine, target, until))
    return tl::unexpected(*problem);
  return stream;
}

} // namespace gasoline
