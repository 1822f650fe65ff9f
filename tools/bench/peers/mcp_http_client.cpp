#include "tools/bench/peers/mcp_http_client.hpp"

#include <utility>

namespace gasoline::bench {
namespace {

using nlohmann::json;

json message(const std::string& method, const json& params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", params}};
}

json request_message(const std::string& method, const json& params, int id = 1) {
  auto out = message(method, params);
  out["id"] = id;
  return out;
}

} // namespace

mcp_http_client::mcp_http_client(std::uint16_t port, std::string revision)
    : http_(port), revision_(std::move(revision)) {
  const auto hello =
      request_message("initialize", {{"protocolVersion", revision_},
                                     {"capabilities", json::object()},
                                     {"clientInfo", {{"name", "bench"}, {"version", "1"}}}});
  if (http_.exchange(request("POST", hello.dump())) == 200)
    session_ = http_.field("Mcp-Session-Id");
  http_.exchange(request("POST", message("notifications/initialized", json::object()).dump()));
}

std::string mcp_http_client::request(const std::string& method, const std::string& body) const {
  std::string out = method + " /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  if (method == "POST")
    out += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
  else
    out += "Accept: text/event-stream\r\n";
  if (!session_.empty())
    out.append("Mcp-Session-Id: ")
        .append(session_)
        .append("\r\nMCP-Protocol-Version: ")
        .append(revision_)
        .append("\r\n");
  return out + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string mcp_http_client::tool_call(const std::string& tool, const json& arguments,
                                       int id) const {
  return request(
      "POST", request_message("tools/call", {{"name", tool}, {"arguments", arguments}}, id).dump());
}

std::string mcp_http_client::batch(const std::string& tool,
                                   const std::vector<json>& arguments) const {
  auto calls = json::array();
  for (const auto& each : arguments)
    calls.push_back(request_message("tools/call", {{"name", tool}, {"arguments", each}},
                                    static_cast<int>(calls.size()) + 1));
  return request("POST", calls.dump());
}

int mcp_http_client::call(const std::string& tool, const json& arguments) {
  return http_.exchange(tool_call(tool, arguments));
}

int mcp_http_client::cancel(int id) {
  return http_.exchange(
      request("POST", message("notifications/cancelled", {{"requestId", id}}).dump()));
}

int mcp_http_client::open_stream(http_client& stream) const {
  return stream.send(request("GET", "")) ? stream.receive_head() : 0;
}

int mcp_http_client::end() {
  return http_.exchange(request("DELETE", ""));
}

} // namespace gasoline::bench
