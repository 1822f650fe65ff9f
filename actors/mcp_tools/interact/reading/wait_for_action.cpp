#include "actors/mcp_tools/interact/reading/wait_for_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode wait_for_action() {
  auto parameters = action_parameters(browser_verb::wait_for);
  add_element(parameters, element_need::optional);
  parameters.text("url", &browser_action::url);
  parameters.boolean("gone", &browser_action::gone).about("until gone");
  return browser_mode("wait_for",
                      "waits for an element, a part of the address, or until the page is quiet",
                      std::move(parameters));
}

} // namespace gasoline
