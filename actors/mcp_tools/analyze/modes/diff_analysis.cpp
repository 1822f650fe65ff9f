#include "actors/mcp_tools/analyze/modes/diff_analysis.hpp"

#include "actors/mcp_tools/analyze/analysis/analysis_answer.hpp"
#include "actors/mcp_tools/analyze/faults/diff_verdict.hpp"
#include "actors/mcp_tools/analyze/faults/fault_diff.hpp"
#include "actors/mcp_tools/analyze/faults/fault_item.hpp"
#include "actors/mcp_tools/analyze/modes/speed_diff.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

std::string judged_item(const judged_fault& f, wall_time now) {
  std::string out;
  json_object_writer w{out};
  write_fault(w, f.seen, now);
  if (!f.proof.empty())
    w.text("because", f.proof);
  w.close();
  return out;
}

/// They are ordered by fate, so those of one stand together.
void list_faults(analysis_answer& out, std::string_view name,
                 const std::vector<judged_fault>& faults, fault_fate fate, wall_time now) {
  const auto first = std::find_if(faults.begin(), faults.end(),
                                  [&](const judged_fault& f) { return f.fate == fate; });
  out.list(name, faults_of(faults, fate),
           [&](std::size_t i) { return judged_item(first[static_cast<std::ptrdiff_t>(i)], now); });
}

std::string speed_item(const speed_change& c) {
  std::string out;
  json_object_writer w{out};
  w.text("what", c.what).decimal("before", c.before).decimal("since", c.since);
  w.raw("samples",
        "[" + std::to_string(c.samples_before) + "," + std::to_string(c.samples_since) + "]");
  w.close();
  return out;
}

void list_changes(analysis_answer& out, std::string_view name,
                  const std::vector<speed_change>& changes) {
  out.list(name, changes.size(), [&](std::size_t i) { return speed_item(changes[i]); });
}

std::string diff_answer(const analysis_input& input) {
  const auto faults = diff_faults(input.earlier, input.events, input.latest(), input.limit);
  auto slower = changed_endpoints(input.earlier, input.events);
  for (auto& change : changed_vitals(input.earlier, input.events))
    slower.push_back(std::move(change));
  const auto worse = std::stable_partition(slower.begin(), slower.end(),
                                           [](const speed_change& c) { return c.is_worse(); });
  const std::vector<speed_change> faster{worse, slower.end()};
  slower.erase(worse, slower.end());
  analysis_answer out{input.call};
  list_faults(out, "still", faults, fault_fate::still, input.until);
  list_faults(out, "new", faults, fault_fate::fresh, input.until);
  list_faults(out, "not_proved", faults, fault_fate::unproved, input.until);
  list_changes(out, "slower", slower);
  list_faults(out, "fixed", faults, fault_fate::fixed, input.until);
  list_changes(out, "faster", faster);
  auto sentence = diff_verdict(faults, input.since->words);
  if (!slower.empty())
    sentence += " " + std::to_string(slower.size()) + " slower.";
  sentence += input.remark;
  if (!faults.empty())
    sentence.append(" ").append(outside_text_label);
  return out.finish(std::move(sentence));
}

} // namespace

analysis diff_analysis() {
  return {"diff", "is it fixed? What is gone, new, still there, slower since a mark",
          usual_beginning::comparison, diff_answer};
}

} // namespace gasoline
