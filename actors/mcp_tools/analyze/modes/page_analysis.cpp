#include "actors/mcp_tools/analyze/modes/page_analysis.hpp"

#include "actors/mcp_tools/interact/answer/action_answer.hpp"

#include <utility>

namespace gasoline {

tool_mode page_analysis() {
  browser_action usual;
  usual.verb = browser_verb::overview;
  tool_parameters<browser_action> parameters{std::move(usual)};
  return make_mode("page", "what is on the screen of the browser's page, in 2 KB",
                   std::move(parameters), run_action);
}

} // namespace gasoline
