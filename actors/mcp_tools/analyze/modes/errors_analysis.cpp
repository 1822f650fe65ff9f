#include "actors/mcp_tools/analyze/modes/errors_analysis.hpp"

#include "actors/base/age_text.hpp"
#include "actors/base/counted_words.hpp"
#include "actors/mcp_tools/analyze/analysis/analysis_answer.hpp"
#include "actors/mcp_tools/analyze/faults/fault_item.hpp"
#include "actors/mcp_tools/analyze/faults/green_mark.hpp"
#include "actors/mcp_tools/analyze/faults/preceding_events.hpp"
#include "actors/resolution/deed_words.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace gasoline {
namespace {

/// What came just before most of the occurrences, and before how many of how many.
std::string usual_step_before(const preceding_events& preceding, const fault& f) {
  std::map<std::string, std::size_t> steps;
  for (const auto* e : f.occurrences)
    if (auto step = preceding.last_step_before(*e); !step.empty())
      ++steps[std::move(step)];
  if (steps.empty())
    return {};
  const auto most = std::max_element(
      steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most->first + " (" + std::to_string(most->second) + " of " +
         std::to_string(f.occurrences.size()) + ")";
}

std::size_t pages_of(const fault& f) {
  std::set<std::string_view> pages;
  for (const auto* e : f.occurrences)
    pages.insert(page_of(*e));
  return pages.size();
}

/// What an error that is new is new since: the last mark at which all was well, else the last that
/// a client has named; null: there is none.
const telemetry_mark* compared_with(const analysis_input& input) {
  if (const auto* green = green_mark(input.marks, input.events, input.limit))
    return green;
  const auto named = std::find_if(input.marks.rbegin(), input.marks.rend(),
                                  [](const auto& mark) { return mark.kind == mark_kind::named; });
  return named == input.marks.rend() ? nullptr : &*named;
}

/// What items are told with.
struct error_context {
  wall_time until{};
  preceding_events preceding;
  const telemetry_mark* mark = nullptr; ///< null: there is none to compare with
};

std::string error_item(const error_context& context, const fault& f) {
  std::string out;
  json_object_writer w{out};
  write_fault(w, f, context.until);
  if (f.count > 1)
    w.text("first_seen", age_text(context.until - f.first_at) + " ago");
  if (const auto pages = pages_of(f); pages > 1)
    w.number("pages", std::uint64_t{pages});
  if (const auto step = usual_step_before(context.preceding, f); !step.empty())
    w.text("before", step);
  if (context.mark && f.first_at >= context.mark->at)
    w.text("new_since", context.mark->name);
  w.close();
  return out;
}

std::string errors_answer(const analysis_input& input) {
  const auto faults = faults_in(input.events, input.limit);
  std::vector<const fault*> newest_first;
  for (const auto& [key, f] : faults)
    newest_first.push_back(&f);
  std::sort(newest_first.begin(), newest_first.end(),
            [](const fault* a, const fault* b) { return a->last_at > b->last_at; });
  std::uint64_t occurrences = 0;
  for (const auto* f : newest_first)
    occurrences += f->count;
  const auto where = input.since ? " since " + input.since->words : std::string{};
  const error_context context{input.until, preceding_events{input.events}, compared_with(input)};
  analysis_answer out{input.call};
  if (newest_first.empty())
    return out.finish("No errors" + where + "." + input.remark);
  out.list("errors", newest_first.size(),
           [&](std::size_t i) { return error_item(context, *newest_first[i]); });
  return out.finish(counted_words(newest_first.size(), "fault", "faults") + ", " +
                    counted_words(occurrences, "occurrence", "occurrences") + where +
                    ", the one seen last first." + input.remark + ' ' +
                    std::string{outside_text_label});
}

} // namespace

analysis errors_analysis() {
  return {"errors", "faults with count, place and what came just before",
          usual_beginning::everything, errors_answer};
}

} // namespace gasoline
