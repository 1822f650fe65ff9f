#include "tools/doctor/health_question.hpp"

#include "tools/engine/access_token.hpp"
#include "transport/attach/attach_call.hpp"
#include "transport/http/rights/tcp_peer.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <chrono>
#include <string>

namespace gasoline {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using nlohmann::json;

constexpr std::chrono::seconds patience{3};

/// Sends one request and reads one response; each step has the deadline of the stream.
class one_request {
 public:
  /// Nothing when nobody answers; to a program of another user nothing is sent.
  std::optional<std::string> get(const std::string& host, std::uint16_t port,
                                 const std::string& token) {
    stream_.expires_after(patience);
    const asio::ip::tcp::endpoint target{asio::ip::make_address(host), port};
    if (!step([&](auto handler) { stream_.async_connect(target, handler); }))
      return std::nullopt;
    if (judge_listener(stream_.socket()) != peer_user::own)
      return std::nullopt;
    http::request<http::empty_body> request{http::verb::get, "/health", 11};
    request.set(http::field::host, "127.0.0.1");
    if (!token.empty())
      request.set(http::field::authorization, "Bearer " + token);
    if (!step([&](auto handler) { http::async_write(stream_, request, handler); }))
      return std::nullopt;
    beast::flat_buffer buffer;
    http::response<http::string_body> response;
    if (!step([&](auto handler) { http::async_read(stream_, buffer, response, handler); }))
      return std::nullopt;
    return response.body();
  }

 private:
  template <class Start>
  bool step(Start start) {
    beast::error_code problem = asio::error::timed_out;
    start([&](beast::error_code ec, std::size_t = 0) { problem = ec; });
    io_.restart();
    io_.run();
    return !problem;
  }

  asio::io_context io_;
  beast::tcp_stream stream_{io_};
};

std::optional<json> health_in(const std::optional<std::string>& text) {
  auto document = text ? json::parse(*text, nullptr, false) : json();
  if (!document.is_object() || document.value("service-name", "") != "gasoline")
    return std::nullopt;
  return document;
}

} // namespace

std::optional<json> ask_health(const settings& config, const std::filesystem::path& socket,
                               std::uint16_t port) {
  if (auto engine = call_attached_engine(socket, attach_role::observer, patience))
    if (auto health = health_in(read_line(*engine, patience)))
      return health;
  if (port == 0)
    return std::nullopt;
  const auto token = read_token(config);
  return health_in(one_request{}.get(config.host, port, token.value_or("")));
}

} // namespace gasoline
