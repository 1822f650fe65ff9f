#include "actors/mcp_tools/interact/forms/press_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode press_action() {
  auto parameters = action_parameters(browser_verb::press);
  add_element(parameters, element_need::optional);
  parameters.text("key", &browser_action::key)
      .needed(": a character or a key such as Enter, Control+A.")
      .about("Enter, Control+A");
  return browser_mode("press", "presses a key or a combination", std::move(parameters));
}

} // namespace gasoline
