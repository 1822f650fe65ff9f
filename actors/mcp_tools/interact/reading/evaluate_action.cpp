#include "actors/mcp_tools/interact/reading/evaluate_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode evaluate_action() {
  auto parameters = action_parameters(browser_verb::evaluate);
  parameters.text("expression", &browser_action::expression)
      .needed(": the JavaScript to run in the page.")
      .about("JavaScript");
  return browser_mode("evaluate", "runs JavaScript in the page and shows what it made",
                      std::move(parameters));
}

} // namespace gasoline
