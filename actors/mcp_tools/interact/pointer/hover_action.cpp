#include "actors/mcp_tools/interact/pointer/hover_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode hover_action() {
  auto parameters = action_parameters(browser_verb::hover);
  add_element(parameters, element_need::needed);
  return browser_mode("hover", "moves the mouse over an element", std::move(parameters));
}

} // namespace gasoline
