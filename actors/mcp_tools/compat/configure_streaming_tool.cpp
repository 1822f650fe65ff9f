#include "actors/mcp_tools/compat/configure_streaming_tool.hpp"

#include "actors/mcp_tools/configure/streaming_action.hpp"

namespace gasoline {

tool configure_streaming_tool(const limits_of<entry_room>& limit) {
  tool out;
  out.name = "configure_streaming";
  out.toolset = "compat";
  out.title = "Configure streaming";
  out.description =
      "Configure proactive browser event notifications. When enabled, significant events are "
      "pushed as MCP notifications without explicit tool calls.";
  out.modes = {streaming_action("", "action", limit)};
  return out;
}

} // namespace gasoline
