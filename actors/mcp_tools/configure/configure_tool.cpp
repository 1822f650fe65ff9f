#include "actors/mcp_tools/configure/configure_tool.hpp"

#include "actors/mcp_tools/configure/alert_action.hpp"
#include "actors/mcp_tools/configure/clear_action.hpp"
#include "actors/mcp_tools/configure/health_action.hpp"
#include "actors/mcp_tools/configure/mark_action.hpp"
#include "actors/mcp_tools/configure/noise_rule_action.hpp"
#include "actors/mcp_tools/configure/scope_action.hpp"
#include "actors/mcp_tools/configure/stream_action.hpp"
#include "actors/mcp_tools/configure/streaming_action.hpp"

namespace gasoline {

tool configure_tool(const limits_of<entry_room, noise_room>& limit) {
  tool out;
  out.name = "configure";
  out.toolset = "core";
  out.title = "Configure the engine";
  out.description =
      "action streaming: push alerts as notifications/message (streaming_action enable, disable, "
      "status). health: buffers, sources, drops, limits. clear: start reading from now; deletes "
      "nothing. mark: name this point in time for analyze diff. "
      "noise_rule: hide what is "
      "irrelevant (noise_action add, remove, list, reset, "
      "auto_detect). scope: which origins, services and CI are of this project. stream: end a "
      "subscription, delete or purge a stream.";
  out.destructive = true;
  out.selector = {"action", "what"};
  out.modes = {
      streaming_action("streaming", "streaming_action", limit),
      health_action(),
      clear_action(),
      mark_action(),
      alert_action(),
      noise_rule_action(limit),
      scope_action(),
      stream_action(),
  };
  return out;
}

} // namespace gasoline
