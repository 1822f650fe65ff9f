#include "actors/mcp_tools/interact/reading/wait_for_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

#include <cstdint>

namespace gasoline {
namespace {

constexpr std::uint64_t longest_rest = 120;

void check_wait(tool_arguments& arguments, const browser_action& action) {
  if (action.rest && (!action.element.empty() || !action.url.empty()))
    arguments.fail("wait_for takes seconds, or what to wait for; how long at most is timeout_ms.");
}

} // namespace

tool_mode wait_for_action() {
  auto parameters = action_parameters(browser_verb::wait_for);
  add_element(parameters, element_need::optional);
  parameters.text("url", &browser_action::url);
  parameters.boolean("gone", &browser_action::gone);
  parameters.integer("seconds", &browser_action::rest, 1, longest_rest);
  parameters.check(check_wait);
  return browser_mode("wait_for",
                      "waits for an element, its end (gone), a part of the address, seconds, "
                      "or a quiet page",
                      std::move(parameters));
}

} // namespace gasoline
