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

#include <cstddef>
#include <memory>
#include <string>
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

void add_modes(std::string& out, const mcp_tool& tool) {
  for (std::size_t i = 0; i < tool.modes.size(); ++i) {
    const auto& mode = tool.modes[i];
    out.append(i == 0 ? "`" + std::string{mode.selector} + "`: " : std::string{"; "});
    out.append("`").append(mode.name).append("` ").append(mode.about);
  }
}

void add_parameters(std::string& out, const mcp_tool& tool) {
  std::string names;
  for (const auto& [name, schema] : tool.shown.input_schema.at("properties").items())
    if (tool.modes.empty() || name != tool.modes.front().selector)
      names.append(names.empty() ? "`" : ", `").append(name).append("`");
  if (!names.empty())
    out.append(". With ").append(names);
}

} // namespace

std::string tool_table_text(const std::vector<mcp_tool>& tools) {
  std::string out = "| tool | what it does |\n|---|---|\n";
  for (const auto& tool : tools) {
    std::string does;
    if (tool.modes.empty())
      does = tool.shown.title;
    else
      add_modes(does, tool);
    add_parameters(does, tool);
    out.append("| `").append(tool.shown.name).append("` | ").append(does).append(" |\n");
  }
  return out;
}

std::vector<mcp_tool> engine_tools(const settings& config) {
  std::vector<mcp_tool> out;
  for (auto& declared : declared_tools(config))
    out.push_back(offered(std::move(declared)));
  return out;
}

} // namespace gasoline
