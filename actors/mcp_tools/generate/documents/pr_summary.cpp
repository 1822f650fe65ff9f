#include "actors/mcp_tools/generate/documents/pr_summary.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/mcp_tools/analyze/faults/diff_verdict.hpp"
#include "actors/mcp_tools/analyze/modes/speed_diff.hpp"
#include "actors/mcp_tools/generate/documents/markdown_text.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t faults_listed = 20;
constexpr std::size_t changes_listed = 20;

void add_faults(std::string& out, std::string_view heading, const std::vector<judged_fault>& faults,
                fault_fate fate) {
  const auto all = faults_of(faults, fate);
  if (all == 0)
    return;
  out.append("\n### ").append(heading).append("\n\n");
  std::size_t listed = 0;
  for (const auto& f : faults) {
    if (f.fate != fate || listed++ >= faults_listed)
      continue;
    out += "- " + markdown_span(f.seen.title.view());
    if (const auto place = place_of(f.seen); !place.empty())
      out += " at " + markdown_span(place.view());
    out += ", " + counted_words(f.seen.count, "time", "times");
    out += (f.proof.empty() ? "" : ": " + markdown_span(f.proof)) + "\n";
  }
  if (all > faults_listed)
    out += "- and " + std::to_string(all - faults_listed) + " more\n";
}

std::string number_text(double number) {
  std::string out;
  append_json_number(out, number);
  return out;
}

/// A cell of a table may not hold a bar.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '|' ? '/' : c;
  return markdown_span(out);
}

void add_speeds(std::string& out, const std::vector<speed_change>& changes) {
  if (changes.empty())
    return;
  out += "\n### Slower and faster\n\n| what | before | after | samples |\n|---|---|---|---|\n";
  for (std::size_t i = 0; i < std::min(changes.size(), changes_listed); ++i) {
    const auto& c = changes[i];
    out += "| " + cell(c.what) + " | " + number_text(c.before) + " | " + number_text(c.since) +
           (c.is_worse() ? " (worse)" : " (better)") + " | " + std::to_string(c.samples_before) +
           " and " + std::to_string(c.samples_since) + " |\n";
  }
}

result_or<artifact> make_summary(const generation_input& input) {
  const auto& seen = input.seen;
  const auto faults = diff_faults(seen.earlier, seen.events, seen.latest(), seen.limit);
  auto changes = changed_endpoints(seen.earlier, seen.events);
  for (auto& change : changed_vitals(seen.earlier, seen.events))
    changes.push_back(std::move(change));
  const auto verdict = diff_verdict(faults, seen.since->words);
  auto text = "## Seen before and after the change\n\n" + markdown_span(verdict) + "\n";
  add_faults(text, "Still there", faults, fault_fate::still);
  add_faults(text, "New", faults, fault_fate::fresh);
  add_faults(text, "Fixed", faults, fault_fate::fixed);
  add_faults(text, "Not seen again, and not tried again", faults, fault_fate::unproved);
  add_speeds(text, changes);
  text += "\nCompared: " + std::to_string(seen.earlier.size()) + " events before and " +
          std::to_string(seen.events.size()) + " since " + markdown_span(seen.since->words) + ", " +
          to_iso8601(seen.since->at) + ".\n";
  return artifact{std::move(text), verdict + seen.remark};
}

} // namespace

generation pr_summary() {
  return {"pr_summary", "what a change fixed, broke, slowed and sped up since a mark, as Markdown",
          usual_beginning::comparison, looked_at::events, make_summary};
}

} // namespace gasoline
