#include "actors/mcp_tools/analyze/modes/accessibility_mode.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/mcp_tools/analyze/analysis/analysis_answer.hpp"
#include "actors/mcp_tools/analyze/analysis/browser_question.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

using nlohmann::json;

struct accessibility_call {
  analyze_call answer; ///< its size
  std::string page;
  std::string url;
};

constexpr std::array<std::string_view, 4> impacts{"critical", "serious", "moderate", "minor"};

std::size_t rank_of(const json& rule) {
  const auto impact = rule.value("impact", std::string{});
  return static_cast<std::size_t>(std::find(impacts.begin(), impacts.end(), impact) -
                                  impacts.begin());
}

/// `1 critical, 2 serious`.
std::string impacts_text(const std::vector<json>& rules) {
  std::array<std::size_t, impacts.size() + 1> counts{};
  for (const auto& rule : rules)
    ++counts[rank_of(rule)];
  std::string out;
  for (std::size_t i = 0; i < impacts.size(); ++i)
    if (counts[i] > 0)
      out.append(out.empty() ? "" : ", ")
          .append(std::to_string(counts[i]) + ' ')
          .append(impacts[i]);
  return out;
}

std::string findings_text(const accessibility_call& asked, const std::string& told) {
  const auto found = json::parse(told, nullptr, false);
  if (!found.is_object())
    return "The page told nothing that can be read.\n{}";
  auto rules = found.value("rules", std::vector<json>{});
  std::stable_sort(rules.begin(), rules.end(),
                   [](const json& a, const json& b) { return rank_of(a) < rank_of(b); });
  std::size_t elements = 0;
  for (const auto& rule : rules)
    elements += rule.value("count", std::size_t{0});
  const auto problems = found.value("problems", std::vector<std::string>{});
  const auto page =
      found.value("page", std::string{}) + " (" + found.value("url", std::string{}) + ")";
  analysis_answer out{asked.answer};
  out.list("rules", rules.size(), [&](std::size_t i) { return dumped(rules[i]); });
  out.list("not_checked", problems.size(),
           [&](std::size_t i) { return dumped(json(problems[i])); });
  const auto frames = counted_words(found.value("frames", std::size_t{1}), "document", "documents");
  auto sentence = rules.empty()
                      ? "Page " + page + " breaks none of the rules of axe-core, " + frames +
                            " checked; what only people can judge is not checked."
                      : "Page " + page + " breaks " + counted_words(rules.size(), "rule", "rules") +
                            ": " + impacts_text(rules) + "; " +
                            counted_words(elements, "element", "elements") + ", " + frames +
                            " checked. element: a handle that interact takes.";
  return out.finish(std::move(sentence) + ' ' + std::string{outside_text_label});
}

void check_page(const tool_call& call, const accessibility_call& asked) {
  browser_action action;
  action.verb = browser_verb::accessibility;
  action.page = asked.page;
  ask_browser(call, std::move(action), [call, asked](const std::string& told) {
    call.answer(text_result(findings_text(asked, told)));
  });
}

void start_check(const tool_call& call, const accessibility_call& asked) {
  if (asked.url.empty())
    return check_page(call, asked);
  browser_action action;
  action.verb = browser_verb::navigate;
  action.page = asked.page;
  action.url = asked.url;
  ask_browser(call, std::move(action),
              [call, asked](const std::string&) { check_page(call, asked); });
}

} // namespace

tool_mode accessibility_mode(const limits_of<result_room>& limit) {
  constexpr std::uint64_t usual_rules = 20;
  accessibility_call usual;
  usual.answer.limit = usual_rules;
  usual.answer.max_bytes = limit.result.bytes;
  tool_parameters<accessibility_call> parameters{std::move(usual)};
  parameters.text("page", &accessibility_call::page);
  parameters.text("url", &accessibility_call::url);
  parameters.integer(
      "max_bytes", [](accessibility_call & out) -> auto& { return out.answer.max_bytes; }, 1024,
      limit.result.max_bytes);
  parameters.integer(
      "limit", [](accessibility_call & out) -> auto& { return out.answer.limit; }, 1,
      limit.result.max_items);
  return make_mode("accessibility",
                   "axe-core on the page in the engine's browser: each element with handle and fix",
                   std::move(parameters), start_check);
}

} // namespace gasoline
