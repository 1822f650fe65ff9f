#pragma once

#include "tools/bench/peers/http_client.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace gasoline::bench {

/// One MCP session over Streamable HTTP, on a connection of its own.
class mcp_http_client {
 public:
  /// Connects and shakes hands, by that revision of the protocol.
  explicit mcp_http_client(std::uint16_t port, std::string revision = "2025-06-18");

  /// Whether there is a session.
  bool alive() const { return !session_.empty(); }

  /// A whole request of a tool call, to be sent with `http().exchange`.
  std::string tool_call(const std::string& tool, const nlohmann::json& arguments, int id = 1) const;

  /// A whole request of several calls of a tool, one for each of these arguments; 2025-03-26 only.
  std::string batch(const std::string& tool, const std::vector<nlohmann::json>& arguments) const;

  /// A tool call; its HTTP status.
  int call(const std::string& tool, const nlohmann::json& arguments);

  /// Gives up the request with that id; the HTTP status.
  int cancel(int id);

  /// Opens the stream of unsolicited messages on that other connection; its HTTP status.
  int open_stream(http_client& stream) const;

  /// Ends the session; the HTTP status.
  int end();

  http_client& http() { return http_; }

 private:
  std::string request(const std::string& method, const std::string& body) const;

  http_client http_;
  std::string revision_;
  std::string session_;
};

} // namespace gasoline::bench
