#include "actors/mcp_tools/analyze/analysis/analysis_mode.hpp"

#include "messages/base/presentable_text.hpp"
#include "messages/telemetry/absence_of_telemetry.hpp"

#include <memory>
#include <string>
#include <utility>

namespace gasoline {
namespace {

/// One call on its way.
struct analysing {
  analysis what;
  analyze_call asked;
  gathered_ptr found;
  wall_time now{};
  limits_of<alert_room> limit;
  result_or<std::string> answer{};
};

void analyse(analysing& a) {
  put_in_order(*a.found);
  const auto input = split_events(a.asked, a.what.begins, *a.found, a.now, a.limit);
  if (input)
    a.answer = a.what.answer(*input);
  else
    a.answer = tl::unexpected(input.error());
}

void run_analysis(const tool_call& call, const std::shared_ptr<analysing>& a) {
  do_aside(
      call, size_of_work(*a->found), [a] { analyse(*a); },
      [call, a] {
        if (a->answer)
          call.answer(text_result(std::move(*a->answer)));
        else
          call.refuse(a->answer.error().message);
      });
}

void say_why_nothing_came(const tool_call& call) {
  call.health([call](const nlohmann::json& health) {
    call.answer(text_result("Nothing to analyze: " + absence_of_telemetry(health) + ' ' +
                            std::string{outside_text_label} + "\n{}"));
  });
}

} // namespace

void analyse_buffers(const tool_call& call, const analysis& what, analyze_call asked) {
  auto url = asked.url;
  gather_events(call, std::move(url), [call, what, asked = std::move(asked)](gathered_ptr found) {
    if (!found->kept->any_source_seen)
      return say_why_nothing_came(call);
    run_analysis(call, std::make_shared<analysing>(analysing{what, asked, std::move(found),
                                                             call.wall_now(), call.limit()}));
  });
}

tool_mode analysis_mode(const analysis& what, const limits_of<result_room>& limit) {
  return make_mode(what.name, what.about, analyze_parameters(limit),
                   [what](const tool_call& call, analyze_call asked) {
                     analyse_buffers(call, what, std::move(asked));
                   });
}

} // namespace gasoline
