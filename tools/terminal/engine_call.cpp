#include "tools/terminal/engine_call.hpp"

#include "tools/engine/access_token.hpp"
#include "tools/engine/state_directory.hpp"
#include "transport/http/rights/tcp_peer.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <charconv>

namespace gasoline {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::size_t most_answer_bytes = 16U << 20U;

tl::unexpected<user_error> refused(std::string sentence) {
  return tl::unexpected(user_error{std::move(sentence)});
}

/// Clients may also be given a date, which the engine does not send.
std::chrono::seconds seconds_in(std::string_view text) {
  unsigned out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return std::chrono::seconds{out};
}

/// One connection with one request.
class exchange {
 public:
  exchange() { parser_.body_limit(boost::none); }

  result_or<unsigned> begin(const settings& config, const engine_request& request) {
    const auto engine = engine_endpoint(config);
    if (!engine)
      return tl::unexpected(engine.error());
    const auto port = std::to_string(engine->port());
    if (request.timeout.count() > 0)
      stream_.expires_after(request.timeout);
    auto ec = run([&](auto done) { stream_.async_connect(*engine, std::move(done)); });
    if (ec)
      return refused("The engine on port " + port + " does not answer (" + ec.message() + ").");
    const auto token = engine_token(config, stream_.socket());
    if (!token)
      return tl::unexpected(token.error());
    const auto message = rendered(*token, request);
    ec = run([&](auto done) { http::async_write(stream_, message, std::move(done)); });
    if (!ec)
      ec = run(
          [&](auto done) { http::async_read_header(stream_, buffer_, parser_, std::move(done)); });
    if (ec)
      return refused("The engine on port " + port + " broke off (" + ec.message() + ").");
    return parser_.get().result_int();
  }

  /// Hands on the body until `take` answers false or it ends.
  void read_body(const std::function<bool(std::string_view)>& take) {
    std::array<char, 64U << 10U> piece{};
    while (!parser_.is_done()) {
      auto& body = parser_.get().body();
      body.data = piece.data();
      body.size = piece.size();
      const auto ec = run(
          [&](auto done) { http::async_read_some(stream_, buffer_, parser_, std::move(done)); });
      const auto got = piece.size() - body.size;
      if (got > 0 && !take({piece.data(), got}))
        return;
      if (ec && ec != http::error::need_buffer)
        return;
    }
  }

  std::chrono::seconds retry_after() const {
    return seconds_in(parser_.get()[http::field::retry_after]);
  }

 private:
  /// Runs one operation to its end. Only asynchronous ones keep the deadline of the stream.
  template <class Start>
  beast::error_code run(Start start) {
    beast::error_code out;
    start([&out](beast::error_code ec, auto&&...) { out = ec; });
    io_.restart();
    io_.run();
    return out;
  }

  http::request<http::string_body> rendered(const std::string& token,
                                            const engine_request& request) const {
    http::request<http::string_body> out{http::string_to_verb(request.method), request.target, 11};
    out.set(http::field::host, "127.0.0.1");
    out.set(http::field::connection, "close");
    if (!request.last_id.empty())
      out.set("Last-Event-ID", request.last_id);
    if (!token.empty())
      out.set(http::field::authorization, "Bearer " + token);
    if (!request.body.empty()) {
      out.set(http::field::content_type, "application/json");
      out.body() = request.body;
    }
    out.prepare_payload();
    return out;
  }

  asio::io_context io_;
  beast::tcp_stream stream_{io_};
  beast::flat_buffer buffer_;
  http::response_parser<http::buffer_body> parser_;
};

std::string read_all(exchange& open) {
  std::string out;
  open.read_body([&](std::string_view piece) {
    out += piece;
    return out.size() < most_answer_bytes;
  });
  return out;
}

} // namespace

result_or<asio::ip::tcp::endpoint> engine_endpoint(const settings& config) {
  const auto port = read_port_file(config.state_dir);
  if (!port)
    return refused("No engine runs for " + config.state_dir.string() +
                   "; start one with `gasoline serve` or from an editor, or name its directory "
                   "with --state-dir.");
  beast::error_code ec;
  const auto address =
      asio::ip::make_address(config.host == "localhost" ? "127.0.0.1" : config.host, ec);
  if (ec)
    return refused("The host " + config.host + " is no loopback address; use 127.0.0.1 or ::1.");
  return asio::ip::tcp::endpoint{address, *port};
}

result_or<std::string> engine_token(const settings& config,
                                    const asio::ip::tcp::socket& connection) {
  const auto token = read_token(config);
  if (!token)
    return std::string{};
  if (judge_listener(connection) == peer_user::own)
    return *token;
  beast::error_code ec;
  return refused("The program that listens on port " +
                 std::to_string(connection.remote_endpoint(ec).port()) +
                 " is not known to be one of this user's, so it is told nothing, the token least "
                 "of all. `gasoline doctor` tells more.");
}

result_or<engine_response> call_engine(const settings& config, const engine_request& request) {
  exchange open;
  const auto status = open.begin(config, request);
  if (!status)
    return tl::unexpected(status.error());
  return engine_response{*status, read_all(open), open.retry_after()};
}

result_or<engine_response> follow_engine(const settings& config, const engine_request& request,
                                         const std::function<bool(std::string_view)>& take) {
  exchange open;
  const auto status = open.begin(config, request);
  if (!status)
    return tl::unexpected(status.error());
  if (*status != 200)
    return engine_response{*status, read_all(open), open.retry_after()};
  open.read_body(take);
  return engine_response{*status, {}, {}};
}

std::string refusal_sentence(const engine_response& response) {
  const auto body = nlohmann::json::parse(response.body, nullptr, false);
  const auto& told = body.is_object() && body.contains("error") && body.at("error").is_object()
                         ? body.at("error")
                         : body;
  for (const auto* name : {"message", "error"})
    if (told.is_object() && told.contains(name) && told.at(name).is_string())
      return told.at(name).get<std::string>();
  return "The engine answered with status " + std::to_string(response.status) + ".";
}

} // namespace gasoline
