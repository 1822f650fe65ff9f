#include "actors/mcp_tools/interact/pointer/click_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode click_action() {
  auto parameters = action_parameters(browser_verb::click);
  add_element(parameters, element_need::needed);
  parameters.choice<click_kind>("kind", &browser_action::click);
  return browser_mode("click", "clicks an element as a person would, and says what came of it",
                      std::move(parameters));
}

} // namespace gasoline
