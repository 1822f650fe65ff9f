#include "actors/mcp_tools/observe/ci_mode.hpp"

#include "actors/mcp_tools/observe/answer/answer_builder.hpp"
#include "messages/base/json/json_text.hpp"

#include <utility>

namespace gasoline {

std::string ci_answer(const observe_call& call, const nlohmann::json& results) {
  list_pager pager{call, results.size()};
  pager.add_while([&](std::size_t i) { return dumped(results[i]); });
  return pager.finish(", newest first");
}

tool_mode ci_mode(const limits_of<client_room, result_room>& limit) {
  auto parameters =
      observe_parameters(plain_call(ci_subject, limit, limit.result.bytes), limit, false);
  parameters.check(refuse_since_cursor);
  return make_mode(ci_subject.mode, "the last CI results", std::move(parameters),
                   [](const tool_call& call, const observe_call& asked) {
                     call.ci([call, asked](const nlohmann::json& results) {
                       call.answer(text_result(ci_answer(asked, results)));
                     });
                   });
}

} // namespace gasoline
