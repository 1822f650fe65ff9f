#include "actors/mcp_tools/interact/pointer/scroll_action.hpp"

#include "actors/mcp_tools/interact/answer/action_parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace gasoline {
namespace {

bool is_whole_number(std::string_view text) {
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

void check_scroll(tool_arguments& arguments, const browser_action& action) {
  constexpr std::array<std::string_view, 6> ways{"down", "up", "left", "right", "top", "bottom"};
  const auto& to = action.to;
  const bool is_way = std::find(ways.begin(), ways.end(), to) != ways.end() || is_whole_number(to);
  if (to.empty() ? action.element.empty() : !is_way)
    arguments.fail("scroll takes an element to bring into view, or to: down, up, left, right, top, "
                   "bottom, or pixels such as 400 or -400.");
}

} // namespace

tool_mode scroll_action() {
  auto parameters = action_parameters(browser_verb::scroll);
  add_element(parameters, element_need::optional);
  parameters.text_or_number("to", &browser_action::to)
      .about("handle or text; scroll: down, up, left, right, top, bottom, 400");
  parameters.check(check_scroll);
  return browser_mode("scroll",
                      "brings an element into view, or scrolls what it is in, or the page",
                      std::move(parameters));
}

} // namespace gasoline
