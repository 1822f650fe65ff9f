#include "actors/mcp_tools/interact/pages/tabs_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode tabs_action() {
  auto parameters = action_parameters(browser_verb::tabs);
  parameters.choice<tab_change>("do", &browser_action::tabs);
  parameters.text("url", &browser_action::url);
  parameters.boolean("alone", &browser_action::alone).about("own cookies");
  return browser_mode("tabs", "lists, opens, closes pages, or chooses the one to work in",
                      std::move(parameters));
}

} // namespace gasoline
