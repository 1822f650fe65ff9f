#include "actors/mcp_tools/interact/forms/check_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode check_action() {
  auto parameters = action_parameters(browser_verb::check);
  add_element(parameters, element_need::needed);
  parameters.boolean("accept", &browser_action::accept).about("check: false unchecks");
  return browser_mode("check", "checks or unchecks a box", std::move(parameters));
}

} // namespace gasoline
