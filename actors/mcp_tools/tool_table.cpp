#include "actors/mcp_tools/tool_table.hpp"

#include "actors/mcp_tools/analyze/analyze_tool.hpp"
#include "actors/mcp_tools/compat/configure_streaming_tool.hpp"
#include "actors/mcp_tools/configure/configure_tool.hpp"
#include "actors/mcp_tools/generate/generate_tool.hpp"
#include "actors/mcp_tools/interact/interact_tool.hpp"
#include "actors/mcp_tools/observe/observe_tool.hpp"
#include "actors/mcp_tools/streams/stream_create_tool.hpp"
#include "actors/mcp_tools/streams/stream_publish_tool.hpp"
#include "actors/mcp_tools/streams/stream_status_tool.hpp"
#include "actors/mcp_tools/streams/stream_subscribe_tool.hpp"

#include <memory>
#include <utility>

namespace gasoline {
namespace {

/// One row a tool, in the order in which they are listed.
std::vector<tool> declared_tools(const settings& config) {
  const auto& limit = config.limit;
  return {
      observe_tool(limit),
      analyze_tool(limit),
      generate_tool(config.state_dir.string(), limit),
      configure_tool(limit),
      interact_tool(),
      configure_streaming_tool(limit),
      stream_create_tool(limit),
      stream_publish_tool(),
      stream_subscribe_tool(),
      stream_status_tool(limit),
  };
}

/// A declared tool as the registry of a client's offers holds it.
mcp_tool offered(tool declared) {
  mcp_tool out;
  out.shown = {declared.name,        declared.toolset,   declared.title,
               declared.description, declared.read_only, input_schema(declared)};
  out.destructive = declared.destructive;
  if (!declared.selector.empty())
    for (const auto& mode : declared.modes)
      out.modes.push_back({declared.selector.front(), mode.name, mode.about});
  out.call = [t = std::make_shared<const tool>(std::move(declared))](
                 const request_context& request, const nlohmann::json& arguments) {
    run_tool(*t, request, arguments);
  };
  return out;
}

} // namespace

std::vector<mcp_tool> engine_tools(const settings& config) {
  std::vector<mcp_tool> out;
  for (auto& declared : declared_tools(config))
    out.push_back(offered(std::move(declared)));
  return out;
}

} // namespace gasoline
