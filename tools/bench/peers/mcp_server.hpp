#pragma once

#include "tools/bench/peers/child_process.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace gasoline::bench {

/// How a server under test is started.
struct server_command {
  std::vector<std::string> words;
  std::uint16_t port = 0;                           ///< 0: read from the state directory
  nlohmann::json config = nlohmann::json::object(); ///< settings of our own engine
};

/// One MCP server on stdio with its own state directory, initialized.
class mcp_server {
 public:
  explicit mcp_server(const server_command& command);
  ~mcp_server();
  mcp_server(const mcp_server&) = delete;
  mcp_server& operator=(const mcp_server&) = delete;

  /// Sends one request and waits for its response; notifications that come first are dropped.
  nlohmann::json request(const std::string& method, const nlohmann::json& params);

  /// A tool call; the text of its first block.
  std::string call(const std::string& tool, const nlohmann::json& arguments);

  /// The prepared line of a tool call, for timed use with `exchange`.
  std::string call_line(const std::string& tool, const nlohmann::json& arguments);

  /// Writes a prepared line and waits for the next line; answers its size.
  std::size_t exchange(const std::string& line);

  bool alive() const { return alive_; }
  std::uint16_t port() const { return port_; }
  const std::filesystem::path& state_dir() const { return state_dir_; }
  child_process& process() { return *process_; }

 private:
  std::filesystem::path state_dir_;
  std::unique_ptr<child_process> process_;
  std::uint16_t port_ = 0;
  std::uint64_t last_id_ = 0;
  bool alive_ = false;
};

/// Our own engine with every limit that would get in the way of measuring raised.
server_command own_engine(const std::filesystem::path& binary_dir);

/// Starts `gasoline mcp` once; the time from exec to the answered `initialize`.
double startup_milliseconds(const server_command& command);

} // namespace gasoline::bench
