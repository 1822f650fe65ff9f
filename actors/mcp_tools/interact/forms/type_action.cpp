#include "actors/mcp_tools/interact/forms/type_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode type_action() {
  auto parameters = action_parameters(browser_verb::type);
  add_element(parameters, element_need::optional);
  add_value(parameters).needed(": the text to type.").about("Text, or {\"secret\":\"NAME\"}");
  return browser_mode("type", "types a text key by key, into an element or what has the focus",
                      std::move(parameters));
}

} // namespace gasoline
