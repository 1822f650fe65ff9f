#include "actors/mcp_tools/generate/documents/bug_report.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/mcp_tools/analyze/modes/story_lines.hpp"
#include "actors/mcp_tools/generate/documents/markdown_text.hpp"
#include "actors/mcp_tools/generate/generation/fault_story.hpp"
#include "actors/mcp_tools/generate/generation/recorded_requests.hpp"
#include "config/version.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t shown_body_bytes = 1'000;
constexpr std::size_t shown_stack_bytes = 3'000;
constexpr std::size_t shown_message_bytes = 2'000;
constexpr std::size_t failures_shown = 5;
constexpr std::size_t pages_listed = 8;

void add_fact(std::string& out, std::string_view name, std::string_view value) {
  if (!value.empty())
    out.append("- ").append(name).append(": ").append(markdown_span(value)).append("\n");
}

std::string facts(const fault_story& story) {
  const auto& f = story.seen;
  const auto& e = *f.newest;
  std::string out;
  out += "- Seen: " + counted_words(f.count, "time", "times") + ", last " + to_iso8601(f.last_at) +
         (f.count > 1 ? ", first " + to_iso8601(f.first_at) : "") + "\n";
  add_fact(out, "Place", place_of(f).view());
  add_fact(out, "Request", is_request(e) ? method_of(e).str() + ' ' + request_url(e).str() : "");
  if (is_request(e))
    out +=
        "- Status: " + (e.status > 0 ? std::to_string(e.status) : std::string{"no answer"}) + "\n";
  std::set<std::string_view> pages;
  for (const auto& seen : f.occurrences)
    if (const auto page = page_address(*seen).view(); !page.empty() && pages.size() < pages_listed)
      if (pages.insert(page).second)
        add_fact(out, "Page", page);
  add_fact(out, "Component", field_text(e.fields, "component").view());
  add_fact(out, "Service", e.service.view());
  return out;
}

std::string what_happened(const std::vector<story_line>& lines, const fault& f) {
  std::string out = "\n## What happened\n\n";
  for (const auto& line : lines) {
    const bool is_it = line.told->sequence == f.newest->sequence;
    out += "- " + (is_it ? std::string{"**the fault**"} : distance_text(*line.told, f)) + ": " +
           markdown_span(line.words) + "\n";
  }
  return out;
}

std::string evidence(const fault& f) {
  const auto& e = *f.newest;
  std::string out = "\n## Evidence\n\n";
  if (!e.message.empty())
    out += markdown_block(e.message.shortened(shown_message_bytes).view());
  if (!e.stack.empty())
    out += "\nStack:\n\n" + markdown_block(e.stack.shortened(shown_stack_bytes).view());
  if (const auto frame = field_text(e.fields, "code_frame"); !frame.empty())
    out += "\nSource:\n\n" + markdown_block(frame.shortened(shown_body_bytes).view());
  return out;
}

/// Failed requests of the story with what was answered.
std::string failures(const std::vector<story_line>& lines) {
  std::string out;
  std::size_t n = 0;
  for (const auto& line : lines) {
    const auto& e = *line.told;
    if (!is_failed_request(e) || n++ == failures_shown)
      continue;
    out += "\n" + markdown_span(line.words) + "\n";
    if (const auto body = answer_body(e); !body.empty())
      out += "\n" + markdown_block(
                        field_text(e.fields, "response_body").shortened(shown_body_bytes).view());
  }
  return out.empty() ? out : "\n## Failed requests\n" + out;
}

std::string environment(const generation_input& input, const fault& f) {
  std::string out = "\n## Environment\n\n";
  const auto& e = *f.newest;
  for (const auto& [name, words] :
       {std::pair{"user_agent", "Browser"}, std::pair{"release", "Release"},
        std::pair{"environment", "Environment"}, std::pair{"runtime", "Runtime"}})
    add_fact(out, words, field_text(e.fields, name).view());
  const auto& marks = input.seen.marks;
  if (!marks.empty())
    add_fact(out, "Last mark", marks.back().name + ", " + to_iso8601(marks.back().at));
  out += "- Recorded by gasoline " + std::string{program_version()} +
         "; secrets are masked, what was typed is not recorded\n";
  return out;
}

result_or<artifact> make_report(const generation_input& input) {
  const auto story = tell_fault(input);
  if (!story)
    return tl::unexpected(story.error());
  const auto lines = story_lines(input.seen.events, story->seen);
  const auto& f = story->seen;
  auto text = "# " + markdown_span(f.title.view()) + "\n\n" + facts(*story) +
              what_happened(lines, f) + evidence(f) + failures(lines) + environment(input, f);
  return artifact{std::move(text), "A report of the fault as Markdown; generate "
                                   "{\"what\":\"reproduction\"} makes a program that shows it." +
                                       input.seen.remark};
}

} // namespace

generation bug_report() {
  return {"bug_report", "the story of a fault with evidence and environment, as Markdown",
          usual_beginning::everything, looked_at::events_and_steps, make_report};
}

} // namespace gasoline
