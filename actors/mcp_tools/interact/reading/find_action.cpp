#include "actors/mcp_tools/interact/reading/find_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode find_action() {
  auto parameters = action_parameters(browser_verb::find);
  add_element(parameters, element_need::optional);
  return browser_mode("find",
                      "finds elements in all frames, with handles and what stands around them",
                      std::move(parameters));
}

} // namespace gasoline
