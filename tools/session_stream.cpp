#include "tools/session_stream.hpp"

#include "messages/json_text.hpp"
#include "tools/engine_call.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include <charconv>
#include <string>
#include <utility>

namespace gasoline {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using nlohmann::json;

constexpr std::size_t most_frame_bytes = 256U << 20U;

tl::unexpected<user_error> stream_fault(const std::string& what) {
  return tl::unexpected(user_error{"The session's stream cannot be opened (" + what + ")."});
}

class beast_stream final : public session_stream {
 public:
  /// `host` and `port` from the engine's settings, `target` from the session's `ws_url`.
  beast::error_code open(const asio::ip::tcp::endpoint& engine, const std::string& target,
                         const std::string& token) {
    beast::error_code ec;
    stream_.next_layer().connect(engine, ec);
    if (ec)
      return ec;
    stream_.read_message_max(most_frame_bytes);
    stream_.set_option(websocket::stream_base::decorator([token](websocket::request_type& request) {
      if (!token.empty())
        request.set(beast::http::field::authorization, "Bearer " + token);
    }));
    stream_.handshake("127.0.0.1", target, ec);
    return ec;
  }

  bool write(const json& frame) override {
    beast::error_code ec;
    stream_.write(asio::buffer(dumped(frame)), ec);
    return !ec;
  }

  std::optional<json> read() override {
    buffer_.clear();
    beast::error_code ec;
    stream_.read(buffer_, ec);
    if (ec)
      return std::nullopt;
    const auto bytes = buffer_.data();
    auto frame = json::parse(std::string_view{static_cast<const char*>(bytes.data()), bytes.size()},
                             nullptr, false);
    return frame.is_object() ? std::move(frame) : json::object();
  }

  std::uint16_t close_code() const override { return stream_.reason().code; }

 private:
  asio::io_context io_;
  websocket::stream<asio::ip::tcp::socket> stream_{io_};
  beast::flat_buffer buffer_;
};

/// Path and query of a `ws://` URL.
std::string target_of(std::string_view url) {
  const auto host = url.find("://");
  const auto path = host == std::string_view::npos ? host : url.find('/', host + 3);
  return std::string{path == std::string_view::npos ? std::string_view{} : url.substr(path)};
}

} // namespace

result_or<std::unique_ptr<session_stream>> open_session_stream(const settings& config,
                                                               std::string_view attach_answer) {
  const auto answer = json::parse(attach_answer, nullptr, false);
  const auto target = target_of(answer.is_object() ? answer.value("ws_url", "") : std::string{});
  if (target.empty())
    return stream_fault("the engine names no address for it");
  const auto engine = engine_endpoint(config);
  if (!engine)
    return tl::unexpected(engine.error());
  auto stream = std::make_unique<beast_stream>();
  if (const auto ec = stream->open(*engine, target, engine_token(config)))
    return stream_fault(ec.message());
  return stream;
}

} // namespace gasoline
