#include "actors/mcp_tools/interact/pointer/drag_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode drag_action() {
  auto parameters = action_parameters(browser_verb::drag);
  add_element(parameters, element_need::needed);
  parameters.text("to", &browser_action::to)
      .needed(": where it is dragged, a handle or a text of that element.");
  return browser_mode("drag", "drags an element to another one", std::move(parameters));
}

} // namespace gasoline
