#include "tools/cli/command_doctor.hpp"

#include "messages/base/presentable_text.hpp"
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

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

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

/// What is wrong, each with what to do about it.
using findings = std::vector<std::string>;

/// Clients and limits beyond these are counted, so that the report stays on one screen.
constexpr std::size_t most_rows = 5;

std::string counted_rest(std::size_t all) {
  return all > most_rows ? "and " + std::to_string(all - most_rows) + " more" : std::string{};
}

void print_row(std::string_view name, std::string_view value) {
  constexpr std::size_t column = 11;
  std::cout << name << ':' << std::string(std::max(column, name.size() + 2) - name.size() - 1, ' ')
            << terminal_line(value) << '\n';
}

void print_lock(const std::optional<lock_holder>& holder) {
  print_row("lock", !holder            ? "free"
                    : holder->pid == 0 ? "held"
                                       : "held by pid " + std::to_string(holder->pid));
}

void print_socket(const std::filesystem::path& socket) {
  std::error_code ec;
  print_row("socket",
            socket.string() + (std::filesystem::is_socket(socket, ec) ? "" : " (absent)"));
}

void print_token(const settings& config, findings& wrong) {
  const auto file = token_path(config);
  const auto token = read_token_file(file);
  std::error_code ec;
  const bool absent = !token && !std::filesystem::exists(file, ec);
  print_row("token", file.string() + (absent ? " (made at the first start)" : ""));
  if (!token && !absent)
    wrong.push_back(token.error().message);
}

/// What is stored of agent sessions, and how long it is kept.
void print_trace(const json& trace, findings& wrong) {
  constexpr double mib = 1024.0 * 1024.0;
  constexpr double day_ms = 86'400'000.0;
  if (trace.contains("problem"))
    wrong.push_back("Agent sessions: " + trace.value("problem", ""));
  const auto kept = trace.value("retention", json::object());
  if (kept.empty())
    return;
  std::ostringstream text;
  text << std::setprecision(3) << trace.value("bytes", 0.0) / mib
       << " MiB stored; turns are kept for " << kept.value("age_ms", 0.0) / day_ms
       << " days, up to " << kept.value("bytes", 0.0) / mib << " MiB in all and "
       << kept.value("events_per_session", 0) << " events in each; "
       << trace.value("pruned_events", 0) << " events were removed since the start";
  print_row("sessions", text.str());
}

void print_clients(const json& clients) {
  for (std::size_t i = 0; i < std::min(most_rows, clients.size()); ++i)
    print_row("client", clients[i].value("name", "?") + " over " +
                            clients[i].value("transport", "?") + ", streaming " +
                            (clients[i].value("streaming", false) ? "on" : "off"));
  if (const auto rest = counted_rest(clients.size()); !rest.empty())
    print_row("client", rest);
}

void print_sources(const json& sources, findings& wrong) {
  bool any = false;
  for (const auto& [source, at] : sources.items()) {
    if (!at.is_string())
      continue;
    any = true;
    print_row("last event", source + ": " + at.get<std::string>());
  }
  if (!any)
    wrong.emplace_back("No telemetry has arrived since the engine started. Add the page script "
                       "gasoline.js from the engine's port to the page, or POST to the engine.");
}

void print_dropped(const json& dropped, findings& wrong) {
  std::string text;
  for (const auto& [name, n] : dropped.items())
    if (n.is_number() && n.get<double>() > 0)
      text += (text.empty() ? "" : ", ") + name + " " + n.dump();
  if (!text.empty())
    wrong.push_back("Dropped by limits: " + text +
                    ". `gasoline doctor --limits` lists the limits; the configuration file raises "
                    "them.");
}

/// How often each rule has masked something, the most frequent first.
void print_masks(const json& redactor) {
  const auto masks =
      redactor.is_object() ? redactor.value("masks", json::object()) : json::object();
  std::vector<std::pair<std::uint64_t, std::string>> rows;
  for (const auto& [rule, n] : masks.items())
    if (n.is_number_unsigned() && n.get<std::uint64_t>() > 0)
      rows.emplace_back(n.get<std::uint64_t>(), rule);
  std::sort(rows.rbegin(), rows.rend());
  std::string text;
  for (std::size_t i = 0; i < std::min(most_rows, rows.size()); ++i)
    text += (text.empty() ? "" : ", ") + rows[i].second + " " + std::to_string(rows[i].first);
  if (const auto rest = counted_rest(rows.size()); !rest.empty())
    text += ", " + rest;
  if (!text.empty())
    print_row("masked", text);
}

void print_engine(const json& health, findings& wrong) {
  print_row("engine", "running, pid " + std::to_string(health.value("pid", 0)) + ", version " +
                          health.value("version", "?") + ", up " +
                          std::to_string(health.value("uptime_seconds", 0)) + " s");
  print_row("token required", health.value("token_required", false) ? "yes" : "no");
  if (health.contains("http_problem"))
    wrong.push_back("No HTTP: " + health.value("http_problem", ""));
  print_clients(health.value("clients", json::array()));
  print_sources(health.value("sources", json::object()), wrong);
  print_masks(health.value("redactor", json::object()));
  print_trace(health.value("trace", json::object()), wrong);
  print_dropped(health.value("dropped", json::object()), wrong);
}

std::string absence(std::uint16_t port, const std::optional<lock_holder>& holder) {
  if (holder) {
    const auto pid = holder->pid == 0 ? std::string{"PID"} : std::to_string(holder->pid);
    return "The engine of " + (holder->pid == 0 ? "another process" : "process " + pid) +
           " does not answer. Continue it, or end it with `kill " + pid + "`.";
  }
  if (const auto owner = port == 0 ? std::nullopt : find_port_owner(port))
    return "Port " + std::to_string(port) + " is held by " + owner->program + " (pid " +
           std::to_string(owner->pid) + "). Choose another with --port, or end that program.";
  return "No engine runs. Start one with `gasoline serve`, or let your editor start `gasoline "
         "mcp`.";
}

/// Those that the settings have changed.
void print_limits(const limits& limit) {
  const limits usual;
  std::string text;
  std::size_t changed = 0;
  for (const auto& row : limit_table())
    if (row.get(limit) != row.get(usual) && ++changed <= most_rows)
      text += std::string{row.name} + " = " + std::to_string(row.get(limit)) + ", ";
  if (const auto rest = counted_rest(changed); !rest.empty())
    text += rest + ", ";
  print_row("limits", (text.empty() ? std::string{"as built in"} : text + "others as built in") +
                          "; --limits lists all");
}

void print_findings(const findings& wrong) {
  if (wrong.empty())
    print_row("wrong", "nothing");
  for (const auto& sentence : wrong)
    print_row("wrong", sentence);
}

} // namespace

int run_doctor(const settings& config) {
  findings wrong;
  const auto written = read_port_file(config.state_dir);
  const auto port = written.value_or(config.port);
  print_row("state", config.state_dir.string());
  print_row("port", std::to_string(port) + (written ? " (from the port file)" : " (configured)"));
  const auto holder = find_lock_holder(config.state_dir);
  const bool named = holder && !holder->socket.empty();
  const auto socket = named ? holder->socket : config.attach_socket;
  print_lock(holder);
  print_socket(socket);
  print_token(config, wrong);
  auto health = ask_at_socket(socket);
  if (!health)
    health = ask_by_http(config, port);
  if (health) {
    print_engine(*health, wrong);
  } else {
    print_row("engine", holder ? "does not answer" : "not running");
    wrong.push_back(absence(port, holder));
  }
  print_limits(config.limit);
  print_findings(wrong);
  return health ? 0 : 1;
}

int run_doctor_limits(const settings& config) {
  for (const auto& row : limit_table())
    std::cout << row.name << " = " << row.get(config.limit) << '\n';
  return 0;
}

} // namespace gasoline
