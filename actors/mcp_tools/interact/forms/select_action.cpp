#include "actors/mcp_tools/interact/forms/select_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode select_action() {
  auto parameters = action_parameters(browser_verb::select);
  add_element(parameters, element_need::needed);
  parameters.text_or_number("value", &browser_action::value)
      .needed(": the option's label or value.");
  return browser_mode("select", "chooses an option of a list by its label or value",
                      std::move(parameters));
}

} // namespace gasoline
