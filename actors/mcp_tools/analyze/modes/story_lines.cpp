#include "actors/mcp_tools/analyze/modes/story_lines.hpp"

#include "actors/detection/direct_alert.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/resolution/deed_words.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds reach_before{30'000};
constexpr milliseconds reach_after{2'000};
constexpr std::size_t most_lines = 20;
constexpr std::size_t most_words = 200;

std::string first_words(std::string_view text) {
  return utf8_shortened(text.substr(0, text.find('\n')), most_words);
}

std::string milliseconds_text(double ms) {
  return std::to_string(static_cast<std::int64_t>(std::min(ms, 1e12))) + " ms";
}

std::string timed_request(const event& e) {
  auto out = request_words(e);
  if (e.status == 0)
    out += " failed";
  else if (e.status > 0)
    out += ' ' + std::to_string(e.status);
  if (e.duration_ms >= 0)
    out += " in " + milliseconds_text(e.duration_ms);
  return out;
}

std::string logged_words(const event& e) {
  if (e.level < log_level::warn && e.type != entry_type::exception)
    return {};
  return (e.level == log_level::warn ? "warning: " : "error: ") + first_words(e.message.view());
}

/// What the event tells, in words; empty: nothing that belongs into a story.
std::string line_words(const event& e) {
  std::string out;
  if (is_request(e))
    out = timed_request(e);
  else if (is_opening(e))
    out = "opened " + field_text(e.fields, "to_url").shortened(most_words).str();
  else if (e.kind == telemetry_kind::action)
    out = action_words(e);
  else if (e.kind == telemetry_kind::load)
    out = "page measured";
  else if (e.kind == telemetry_kind::socket && e.name.view() != "message")
    out = "socket " + e.name.str() + (e.status > 0 ? ' ' + std::to_string(e.status) : "");
  else if (e.kind == telemetry_kind::log)
    out = logged_words(e);
  if (!out.empty() && !e.service.empty())
    out += " (" + e.service.shortened(64).str() + ")";
  return out;
}

/// What the browser times of every resource says nothing beside what was captured.
bool is_plain_timing(const event& e) {
  return e.kind == telemetry_kind::request && e.status < 400 && e.service.empty();
}

/// Tells which events belong to the story of a fault.
class same_story {
 public:
  explicit same_story(const fault& f)
      : fault_(*f.newest),
        trace_id_(marks_of(*f.newest).trace_id),
        page_id_(page_id_of(*f.newest)),
        page_(page_of(*f.newest)) {}

  bool has(const event& e) const {
    if (e.sequence == fault_.sequence)
      return true;
    if (!trace_id_.empty() && marks_of(e).trace_id == trace_id_)
      return true;
    if (!page_id_.empty())
      if (const auto id = page_id_of(e); !id.empty())
        return id == page_id_;
    return !page_.empty() && page_of(e) == page_;
  }

 private:
  const event& fault_;
  std::string_view trace_id_;
  std::string_view page_id_;
  std::string_view page_;
};

/// Keeps those that are nearest to the fault, more of what came before it than after it.
void keep_nearest(std::vector<story_line>& lines, const fault& f) {
  const auto& at = *f.newest;
  const auto own = std::find_if(lines.begin(), lines.end(), [&](const story_line& line) {
    return line.told->sequence == at.sequence;
  });
  constexpr std::ptrdiff_t after = 5;
  if (lines.end() - own > after)
    lines.erase(own + after, lines.end());
  if (lines.size() > most_lines)
    lines.erase(lines.begin(), lines.end() - most_lines);
}

} // namespace

std::vector<story_line> story_lines(event_span events, const fault& f) {
  const same_story story{f};
  std::vector<story_line> out;
  const auto& at = *f.newest;
  auto told = std::lower_bound(events.begin(), events.end(), at.at - reach_before,
                               [](const event* g, wall_time time) { return g->at < time; });
  for (; told != events.end() && (*told)->at <= at.at + reach_after; ++told) {
    const auto& e = **told;
    if (is_plain_timing(e) || !story.has(e))
      continue;
    auto words = line_words(e);
    if (words.empty() && e.sequence == at.sequence)
      words = f.title.str();
    if (!words.empty())
      out.push_back({*told, std::move(words)});
  }
  keep_nearest(out, f);
  return out;
}

std::string distance_text(const event& e, const fault& f) {
  const auto distance = e.at - f.newest->at;
  const auto ms = distance < milliseconds{0} ? -distance : distance;
  const std::string sign = distance < milliseconds{0} ? "-" : "+";
  if (ms < milliseconds{1'000})
    return sign + std::to_string(ms.count()) + " ms";
  const auto tenths = ms.count() / 100;
  return sign + std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " s";
}

} // namespace gasoline
