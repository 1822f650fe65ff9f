#include "actors/mcp_tools/interact/pointer/highlight_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode highlight_action() {
  auto parameters = action_parameters(browser_verb::highlight);
  add_element(parameters, element_need::needed);
  return browser_mode("highlight", "shows the user an element in the window",
                      std::move(parameters));
}

} // namespace gasoline
