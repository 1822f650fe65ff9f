#include "actors/mcp/offers/mcp_registry.hpp"

#include <algorithm>

namespace gasoline {
namespace {

using nlohmann::json;

template <class Row, class Matches>
const Row* first_of(const std::vector<Row>& rows, Matches matches) {
  const auto found = std::find_if(rows.begin(), rows.end(), matches);
  return found == rows.end() ? nullptr : &*found;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

std::string mcp_resource_template::uri_template() const {
  std::string out{prefix};
  out += '{';
  out += variable;
  out += '}';
  out += suffix;
  return out;
}

std::optional<std::string> mcp_resource_template::value_in(std::string_view uri) const {
  if (uri.size() <= prefix.size() + suffix.size() || !uri.starts_with(prefix) ||
      !uri.ends_with(suffix))
    return std::nullopt;
  const auto value = uri.substr(prefix.size(), uri.size() - prefix.size() - suffix.size());
  if (value.find('/') != std::string_view::npos)
    return std::nullopt;
  return std::string{value};
}

const mcp_tool* mcp_registry::find_tool(std::string_view name) const {
  return first_of(tools, [&](const mcp_tool& t) { return t.shown.name == name; });
}

const mcp_prompt* mcp_registry::find_prompt(std::string_view name) const {
  return first_of(prompts, [&](const mcp_prompt& p) { return p.name == name; });
}

const mcp_resource* mcp_registry::find_resource(std::string_view uri) const {
  return first_of(resources, [&](const mcp_resource& r) { return r.uri == uri; });
}

const mcp_resource_template* mcp_registry::find_template(std::string_view uri) const {
  return first_of(templates,
                  [&](const mcp_resource_template& t) { return t.value_in(uri).has_value(); });
}

json mcp_registry::listed_tools(const std::vector<std::string>& toolsets,
                                const data_counts& counts) const {
  json out = json::array();
  for (const auto& tool : tools) {
    const auto& t = tool.shown;
    if (!contains(toolsets, t.toolset))
      continue;
    out.push_back({{"name", t.name},
                   {"title", t.title},
                   {"description", t.description},
                   {"inputSchema", t.input_schema},
                   {"annotations",
                    {{"title", t.title},
                     {"readOnlyHint", t.read_only},
                     {"destructiveHint", tool.destructive},
                     {"openWorldHint", false}}},
                   {"_meta", {{"data_counts", counts}}}});
  }
  return out;
}

std::string mcp_registry::tool_names() const {
  std::string out;
  for (const auto& tool : tools)
    out += (out.empty() ? "" : ", ") + std::string{tool.shown.name};
  return out;
}

} // namespace gasoline
