#include "actors/mcp_tools/interact/pages/navigate_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode navigate_action() {
  auto parameters = action_parameters(browser_verb::navigate);
  parameters.text("url", &browser_action::url)
      .needed(": an address such as http://localhost:3000, or back, forward, reload.")
      .about("or back, forward, reload");
  return browser_mode("navigate", "opens an address, goes back or forward, reloads",
                      std::move(parameters));
}

} // namespace gasoline
