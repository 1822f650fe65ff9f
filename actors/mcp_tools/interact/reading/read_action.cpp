#include "actors/mcp_tools/interact/reading/read_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode read_action() {
  auto parameters = action_parameters(browser_verb::read);
  add_element(parameters, element_need::optional);
  return browser_mode("read", "the text of the page or of an element, as Markdown",
                      std::move(parameters));
}

} // namespace gasoline
