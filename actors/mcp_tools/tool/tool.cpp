#include "actors/mcp_tools/tool/tool.hpp"

#include "messages/base/letters.hpp"

#include <algorithm>
#include <string>

namespace gasoline {
namespace {

using nlohmann::json;

json mode_names(const tool& t) {
  json out = json::array();
  for (const auto& mode : t.modes)
    out.push_back(mode.name);
  return out;
}

std::string listed_mode_names(const tool& t) {
  std::string out;
  for (const auto& mode : t.modes)
    out.append(out.empty() ? "" : ", ").append(mode.name);
  return out;
}

/// The name under which the selector is given.
std::string_view given_selector(const tool& t, const tool_arguments& arguments) {
  const auto found = std::find_if(t.selector.begin(), t.selector.end(),
                                  [&](std::string_view name) { return arguments.has(name); });
  return found == t.selector.end() ? t.selector.front() : *found;
}

/// What somebody means by a value that selects nothing: a mode in other letters, or what other
/// tools call so.
std::string_view meant_by(const tool& t, std::string_view value) {
  const auto found = std::find_if(t.modes.begin(), t.modes.end(), [&](const tool_mode& mode) {
    return ascii::same_letters(mode.name, ascii::trimmed(value));
  });
  if (found != t.modes.end())
    return found->name;
  return t.meant ? t.meant(value) : std::string_view{};
}

/// The mode that the arguments select; null: the arguments have failed.
const tool_mode* selected_mode(const tool& t, tool_arguments& arguments) {
  if (t.selector.empty())
    return &t.modes.front();
  const auto selector = given_selector(t, arguments);
  const auto value = arguments.text(selector);
  if (!value) {
    arguments.fail(std::string{t.selector.front()} +
                   " is missing; use one of: " + listed_mode_names(t) + ".");
    return nullptr;
  }
  const auto found = std::find_if(t.modes.begin(), t.modes.end(),
                                  [&](const tool_mode& mode) { return mode.name == *value; });
  if (found != t.modes.end())
    return &*found;
  const auto meant = meant_by(t, *value);
  if (!meant.empty())
    arguments.fail(std::string{selector} + ' ' + tool_arguments::quoted(*value) +
                   " is not valid; use " + std::string{meant} +
                   ". All are: " + listed_mode_names(t) + '.');
  arguments.fail(tool_arguments::invalid_choice(selector, *value, listed_mode_names(t)));
  return nullptr;
}

} // namespace

json input_schema(const tool& t) {
  json properties = json::object();
  json needed = json::array();
  if (!t.selector.empty()) {
    const std::string selector{t.selector.front()};
    properties[selector] = {{"type", "string"}, {"enum", mode_names(t)}};
    needed.push_back(selector);
  }
  for (const auto& mode : t.modes)
    for (const auto& parameter : *mode.parameters) {
      if (!properties.contains(parameter.name))
        properties.emplace(parameter.name, parameter.schema);
      if (t.selector.empty() && parameter.needed)
        needed.push_back(parameter.name);
    }
  json out{{"type", "object"}, {"properties", std::move(properties)}};
  if (!needed.empty())
    out["required"] = std::move(needed);
  return out;
}

void run_tool(const tool& t, const request_context& request, const json& arguments) {
  const tool_call plain{request, {false, t.refusal}};
  tool_arguments reader{arguments, plain.wall_now(), request.request()->ordered_arguments};
  const auto* mode = selected_mode(t, reader);
  if (!mode) {
    plain.refuse(reader.problem().message);
    return;
  }
  mode->start(tool_call{request, {t.carries_alerts && !mode->shows_alerts, t.refusal}}, reader);
}

} // namespace gasoline
