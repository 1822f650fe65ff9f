#include "actors/mcp_tools/analyze/analysis_mode.hpp"

#include "messages/base/presentable_text.hpp"
#include "messages/telemetry/absence_of_telemetry.hpp"

#include <utility>

namespace gasoline {
namespace {

void run_analysis(const tool_call& call, const analysis& what, const analyze_call& asked,
                  const gathered_events& found) {
  const auto input = split_events(asked, what.begins, found, call.wall_now(), call.limit());
  if (input)
    call.answer(text_result(what.answer(*input)));
  else
    call.refuse(input.error().message);
}

void say_why_nothing_came(const tool_call& call) {
  call.health([call](const nlohmann::json& health) {
    call.answer(text_result("Nothing to analyze: " + absence_of_telemetry(health) + ' ' +
                            std::string{outside_text_label} + "\n{}"));
  });
}

} // namespace

tool_mode analysis_mode(const analysis& what, const limits_of<result_room>& limit) {
  return make_mode(what.name, what.about, analyze_parameters(limit),
                   [what](const tool_call& call, analyze_call asked) {
                     auto url = asked.url;
                     gather_events(
                         call, queried_events::timeline, std::move(url),
                         [call, what, asked = std::move(asked)](const gathered_events& found) {
                           if (found.any_source_seen)
                             run_analysis(call, what, asked, found);
                           else
                             say_why_nothing_came(call);
                         });
                   });
}

} // namespace gasoline
