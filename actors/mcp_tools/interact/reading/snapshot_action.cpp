#include "actors/mcp_tools/interact/reading/snapshot_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

namespace gasoline {

tool_mode snapshot_action() {
  auto parameters = action_parameters(browser_verb::snapshot);
  parameters.text("handle",
                  [](browser_action& action) -> std::string& { return action.element.handle; });
  return browser_mode("snapshot", "the outline of the page or of one element, with handles",
                      std::move(parameters));
}

} // namespace gasoline
