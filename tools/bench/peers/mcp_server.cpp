#include "tools/bench/peers/mcp_server.hpp"

#include "tools/bench/peers/latency_series.hpp"

#include <poll.h>

#include <cstdlib>
#include <fstream>

namespace gasoline::bench {
namespace {

using nlohmann::json;

constexpr int start_patience_ms = 10'000;

std::filesystem::path make_directory() {
  auto name = (std::filesystem::temp_directory_path() / "gasoline-bench-XXXXXX").string();
  return ::mkdtemp(name.data()) ? std::filesystem::path{name} : std::filesystem::path{};
}

json initialize_params() {
  return {{"protocolVersion", "2025-06-18"},
          {"capabilities", json::object()},
          {"clientInfo", {{"name", "bench"}, {"version", "1"}}}};
}

std::string request_line(std::uint64_t id, const std::string& method, const json& params) {
  return json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump() + "\n";
}

std::uint16_t wait_for_port(const std::filesystem::path& file) {
  for (int waited = 0; waited < start_patience_ms; waited += 5) {
    unsigned port = 0;
    if (std::ifstream in{file}; in >> port)
      return static_cast<std::uint16_t>(port);
    ::poll(nullptr, 0, 5);
  }
  return 0;
}

std::vector<std::string> with_state_dir(const server_command& command,
                                        const std::filesystem::path& dir) {
  auto words = command.words;
  if (command.port == 0) {
    words.insert(words.end(), {"--port", "0", "--state-dir", dir.string()});
    auto config = command.config;
    config["limits"]["client_tool_calls_per_minute"] = 1'000'000;
    std::ofstream{dir / "config.json"} << config;
    words.insert(words.end(), {"--config", (dir / "config.json").string()});
  }
  return words;
}

} // namespace

mcp_server::mcp_server(const server_command& command) : state_dir_(make_directory()) {
  process_ = std::make_unique<child_process>(with_state_dir(command, state_dir_));
  const auto hello = request("initialize", initialize_params());
  alive_ = hello.contains("result");
  process_->write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
  port_ = command.port != 0 ? command.port : wait_for_port(state_dir_ / "port");
}

mcp_server::~mcp_server() {
  process_.reset();
  std::error_code ec;
  std::filesystem::remove_all(state_dir_, ec);
}

json mcp_server::request(const std::string& method, const json& params) {
  const auto id = ++last_id_;
  process_->write(request_line(id, method, params));
  while (const auto line = process_->read_line()) {
    auto message = json::parse(*line, nullptr, false);
    if (message.is_object() && message.value("id", json()) == id)
      return message;
  }
  return json::object();
}

std::string mcp_server::call(const std::string& tool, const json& arguments) {
  const auto answer = request("tools/call", {{"name", tool}, {"arguments", arguments}});
  return answer.value(json::json_pointer{"/result/content/0/text"}, std::string{});
}

std::string mcp_server::call_line(const std::string& tool, const json& arguments) {
  return request_line(++last_id_, "tools/call", {{"name", tool}, {"arguments", arguments}});
}

std::size_t mcp_server::exchange(const std::string& line) {
  process_->write(line);
  const auto answer = process_->read_line();
  return answer ? answer->size() : 0;
}

server_command own_engine(const std::filesystem::path& binary_dir) {
  return {{(binary_dir / "gasoline").string(), "mcp", "--log-level", "error"}, 0, json::object()};
}

double startup_milliseconds(const server_command& command) {
  const auto dir = make_directory();
  const auto words = with_state_dir(command, dir);
  const auto start = clock::now();
  {
    child_process process{words};
    process.write(request_line(1, "initialize", initialize_params()));
    process.read_line();
    const auto taken = clock::now() - start;
    std::error_code ec;
    std::filesystem::remove_all(dir, ec);
    return std::chrono::duration<double, std::milli>(taken).count();
  }
}

} // namespace gasoline::bench
