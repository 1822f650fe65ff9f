#include "actors/mcp_tools/interact/pages/dialog_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode dialog_action() {
  auto parameters = action_parameters(browser_verb::dialog);
  parameters.boolean("accept", &browser_action::accept);
  parameters.text_or_number("value", &browser_action::value);
  return browser_mode("dialog", "answers the dialog that is open", std::move(parameters));
}

} // namespace gasoline
