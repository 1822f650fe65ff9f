#include "actors/mcp_tools/interact/reading/screenshot_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode screenshot_action() {
  auto parameters = action_parameters(browser_verb::screenshot);
  add_element(parameters, element_need::optional);
  parameters.boolean("whole", &browser_action::whole).about("full page");
  return browser_mode("screenshot",
                      "an image of what is shown, of an element, or of the whole page",
                      std::move(parameters));
}

} // namespace gasoline
