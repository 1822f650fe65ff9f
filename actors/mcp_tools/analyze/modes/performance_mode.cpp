#include "actors/mcp_tools/analyze/modes/performance_mode.hpp"

#include "actors/mcp_tools/analyze/analysis/analysis_answer.hpp"
#include "actors/mcp_tools/analyze/analysis/analysis_mode.hpp"
#include "actors/mcp_tools/analyze/analysis/browser_question.hpp"
#include "actors/mcp_tools/analyze/modes/performance_analysis.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

struct performance_call : analyze_call {
  std::string page;
};

/// `LCP 1240 ms, longest frame 310 ms, 3 scripts`, as far as it was measured.
std::string headline(const json& told) {
  std::string out;
  const auto add = [&out](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (told.contains("lcp"))
    add("LCP " + std::to_string(static_cast<long>(told["lcp"].value("ms", 0.0))) + " ms");
  const auto frames = told.value("long_frames", json::object());
  if (frames.value("count", 0) > 0)
    add("longest frame " + std::to_string(static_cast<long>(frames.value("longest_ms", 0.0))) +
        " ms");
  if (const auto blocking = told.value("render_blocking", json::array()).size(); blocking > 0)
    add(std::to_string(blocking) + " resources hold up the first paint");
  return out.empty() ? "nothing slow was measured" : out;
}

std::string measures_text(const performance_call& asked, const std::string& text) {
  const auto told = json::parse(text, nullptr, false);
  if (!told.is_object())
    return "The page told nothing that can be read.\n{}";
  analysis_answer out{asked};
  for (const std::string_view name : {"lcp", "long_frames"})
    if (told.contains(name))
      out.list(name, 1, [&](std::size_t) { return dumped(told[name]); });
  for (const std::string_view name : {"scripts", "shifts", "render_blocking"})
    if (const auto rows = told.value(name, json::array()); !rows.empty())
      out.list(name, rows.size(), [&](std::size_t i) { return dumped(rows[i]); });
  return out.finish("Page " + told.value("page", std::string{}) + " (" +
                    told.value("url", std::string{}) + "): " + headline(told) +
                    ". Milliseconds; shifts as parts of CLS. " + std::string{outside_text_label});
}

void measure_page(const tool_call& call, const performance_call& asked) {
  browser_action action;
  action.verb = browser_verb::measures;
  action.page = asked.page;
  ask_browser(call, std::move(action), [call, asked](const std::string& told) {
    call.answer(text_result(measures_text(asked, told)));
  });
}

} // namespace

tool_mode performance_mode(const limits_of<result_room>& limit) {
  tool_parameters<performance_call> parameters{usual_call<performance_call>(limit)};
  add_analyze_parameters(parameters, limit);
  parameters.text("page", &performance_call::page);
  const auto what = performance_analysis();
  return make_mode(what.name, what.about, std::move(parameters),
                   [what](const tool_call& call, performance_call asked) {
                     if (asked.page.empty())
                       analyse_buffers(call, what, std::move(asked));
                     else
                       measure_page(call, asked);
                   });
}

} // namespace gasoline
