#include "tools/cli/command_doctor.hpp"

#include "tools/engine/access_token.hpp"
#include "tools/engine/engine_lock.hpp"
#include "tools/engine/state_directory.hpp"
#include "transport/attach/attach_call.hpp"
#include "transport/http/port_owner.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <nlohmann/json.hpp>

#include <chrono>
#include <iostream>
#include <optional>

namespace gasoline {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using nlohmann::json;

constexpr std::chrono::seconds patience{2};

/// Sends one request and reads one response; each step has the deadline of the stream.
class one_request {
 public:
  std::optional<std::string> get(const std::string& host, std::uint16_t port,
                                 const std::string& token) {
    stream_.expires_after(patience);
    const asio::ip::tcp::endpoint target{asio::ip::make_address(host), port};
    if (!step([&](auto handler) { stream_.async_connect(target, handler); }))
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

/// Asks the engine at the attach socket, which needs neither a port nor a token.
std::optional<json> ask_at_socket(const std::filesystem::path& socket) {
  auto engine = call_attached_engine(socket, attach_role::observer, patience);
  return engine ? health_in(read_line(*engine, patience)) : std::nullopt;
}

std::optional<json> ask_by_http(const settings& config, std::uint16_t port) {
  if (port == 0)
    return std::nullopt;
  const auto token = read_token_file(token_path(config));
  return health_in(one_request{}.get(config.host, port, token.value_or("")));
}

void print_lock(const std::optional<lock_holder>& holder) {
  std::cout << "lock:      ";
  if (!holder)
    std::cout << "free\n";
  else if (holder->pid == 0)
    std::cout << "held\n";
  else
    std::cout << "held by pid " << holder->pid << '\n';
}

void print_socket(const std::filesystem::path& socket) {
  std::error_code ec;
  std::cout << "socket:    " << socket.string()
            << (std::filesystem::is_socket(socket, ec) ? "\n" : " (absent)\n");
}

void print_token(const settings& config) {
  const auto file = token_path(config);
  const auto token = read_token_file(file);
  std::cout << "token:     " << file.string();
  std::error_code ec;
  if (!token)
    std::cout << (std::filesystem::exists(file, ec) ? ": " + token.error().message
                                                    : std::string{" (made at the first start)"});
  std::cout << '\n';
}

void print_engine(const json& health) {
  std::cout << "engine:    running, pid " << health.value("pid", 0) << ", version "
            << health.value("version", "?") << ", up " << health.value("uptime_seconds", 0)
            << " s\n"
            << "token required: " << (health.value("token_required", false) ? "yes" : "no") << '\n';
  if (health.contains("http_problem"))
    std::cout << "no HTTP:   " << health.value("http_problem", "") << '\n';
  for (const auto& client : health.value("clients", json::array()))
    std::cout << "client:    " << client.value("name", "?") << " over "
              << client.value("transport", "?") << ", streaming "
              << (client.value("streaming", false) ? "on" : "off") << '\n';
  const auto sources = health.value("sources", json::object());
  for (const auto& [source, at] : sources.items())
    std::cout << "last event: " << source << ": "
              << (at.is_string() ? at.get<std::string>() : std::string{"none yet"}) << '\n';
  const auto dropped = health.value("dropped", json::object());
  for (const auto& [name, n] : dropped.items())
    if (n.is_number() && n.get<double>() > 0)
      std::cout << "dropped:   " << name << ": " << n << '\n';
}

void print_absence(std::uint16_t port) {
  const auto owner = port == 0 ? std::nullopt : find_port_owner(port);
  if (!owner) {
    std::cout
        << "engine:    not running. Start one with `gasoline serve`, or let your editor start "
           "`gasoline mcp`.\n";
    return;
  }
  std::cout << "engine:    none; port " << port << " is held by " << owner->program << " (pid "
            << owner->pid << "). Choose another with --port, or end that program.\n";
}

} // namespace

int run_doctor(const settings& config) {
  const auto written = read_port_file(config.state_dir);
  const auto port = written.value_or(config.port);
  std::cout << "state:     " << config.state_dir.string() << '\n'
            << "port:      " << port << (written ? " (from the port file)\n" : " (configured)\n");
  const auto holder = find_lock_holder(config.state_dir);
  const bool named = holder && !holder->socket.empty();
  const auto socket = named ? holder->socket : config.attach_socket;
  print_lock(holder);
  print_socket(socket);
  print_token(config);
  auto health = ask_at_socket(socket);
  if (!health)
    health = ask_by_http(config, port);
  if (health)
    print_engine(*health);
  else
    print_absence(port);
  std::cout << "limits:\n";
  for (const auto& row : limit_table())
    std::cout << "  " << row.name << " = " << row.get(config.limit) << '\n';
  return health ? 0 : 1;
}

} // namespace gasoline
