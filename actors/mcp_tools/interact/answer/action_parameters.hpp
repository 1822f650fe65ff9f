#pragma once

#include "actors/mcp_tools/tool/tool.hpp"
#include "messages/browser/browser_action.hpp"

#include <cstdint>
#include <string_view>

namespace gasoline {

/// What every action takes: `page` and `timeout_ms`.
tool_parameters<browser_action> action_parameters(browser_verb verb);

/// Adds what says which element is meant: `handle`, `role` with `name`, `text`, `label`, `testid`,
/// `css`. Whether one has to be given is up to the action.
enum class element_need : std::uint8_t { needed, optional };
void add_element(tool_parameters<browser_action>& parameters, element_need need);

/// Adds `value`: a text, or the name of a secret.
tool_parameter<browser_action>& add_value(tool_parameters<browser_action>& parameters);

/// A mode that has the browser do what the parameters say, and answers with what came of it.
tool_mode browser_mode(std::string_view name, std::string_view about,
                       tool_parameters<browser_action> parameters);

} // namespace gasoline
