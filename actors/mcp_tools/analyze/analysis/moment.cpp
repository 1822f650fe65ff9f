#include "actors/mcp_tools/analyze/analysis/moment.hpp"

#include "actors/base/age_text.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace gasoline {
namespace {

/// When the document that came last was first heard of; nothing when there was one at most.
std::optional<wall_time> last_reload(event_span events) {
  std::map<std::string_view, wall_time> documents;
  std::string_view last; // most have the id of the one before
  for (const auto* told : events)
    if (const auto id = page_id_of(*told); id != last) {
      last = id;
      documents.emplace(id, told->at);
    }
  documents.erase(std::string_view{});
  if (documents.size() < 2)
    return std::nullopt;
  return std::max_element(documents.begin(), documents.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->second;
}

std::optional<wall_time> last_build(event_span events) {
  for (auto told = events.rbegin(); told != events.rend(); ++told)
    if ((*told)->build == build_state::passed)
      return (*told)->at;
  return std::nullopt;
}

std::string known_marks(const telemetry_marks& marks) {
  if (marks.empty())
    return "There are no marks; configure {\"action\":\"mark\",\"name\":\"…\"} sets one.";
  std::string out;
  constexpr std::size_t most_told = 10;
  std::size_t told = 0;
  for (const bool named : {true, false}) // the newest first, those of clients before the others
    for (auto mark = marks.rbegin(); mark != marks.rend() && told < most_told; ++mark)
      if ((mark->kind == mark_kind::named) == named)
        out += (told++ == 0 ? "Marks: " : ", ") + mark->name;
  if (marks.size() > told)
    out += " and " + std::to_string(marks.size() - told) + " more";
  return out + '.';
}

const telemetry_mark* newest_of(const telemetry_marks& marks, mark_kind kind) {
  const auto found = std::find_if(marks.rbegin(), marks.rend(),
                                  [&](const auto& mark) { return mark.kind == kind; });
  return found == marks.rend() ? nullptr : &*found;
}

} // namespace

result_or<moment> find_moment(const std::string& text, const moment_sources& from) {
  const auto mark = std::find_if(from.marks.begin(), from.marks.end(),
                                 [&](const auto& m) { return m.name == text; });
  if (mark != from.marks.end())
    return moment{mark->at, "mark " + dumped(mark->name)};
  if (text == "reload") {
    if (const auto at = last_reload(from.events))
      return moment{*at, "the last reload"};
    return tl::unexpected(
        user_error{"No page was reloaded in what is buffered: since needs a mark, "
                   "a time or an age. " +
                   known_marks(from.marks)});
  }
  if (text == "build") {
    if (const auto at = last_build(from.events))
      return moment{*at, "the last build that passed"};
    return tl::unexpected(
        user_error{"No build was reported as passed in what is buffered (gasoline "
                   "run reports them): since needs a mark, a time or an age. " +
                   known_marks(from.marks)});
  }
  if (text == "commit") {
    if (const auto* last = newest_of(from.marks, mark_kind::commit))
      return moment{last->at, last->name};
    return tl::unexpected(user_error{"No commit is known of the directory that this client works "
                                     "in: since needs a mark, a time or an age. " +
                                     known_marks(from.marks)});
  }
  if (const auto at = from_iso8601(text))
    return moment{*at, to_iso8601(*at)};
  if (const auto age = parse_age(text))
    return moment{from.now - *age, text + " ago"};
  return tl::unexpected(user_error{
      dumped(text.substr(0, 64)) +
      " is no mark, and not reload, build, commit, an ISO 8601 time, or an age such as 30s, 5m, "
      "2h. " +
      known_marks(from.marks)});
}

result_or<moment> usual_moment(const moment_sources& from) {
  if (const auto* named = newest_of(from.marks, mark_kind::named))
    return moment{named->at, "mark " + dumped(named->name)};
  if (auto build = find_moment("build", from))
    return build;
  if (auto reload = find_moment("reload", from))
    return reload;
  if (auto commit = find_moment("commit", from))
    return commit;
  return tl::unexpected(user_error{
      "There is nothing to compare with yet: no mark, no build, no reload and no commit. Set a "
      "mark "
      "before the change with configure {\"action\":\"mark\",\"name\":\"before\"}, or say "
      "since: a time or an age such as 5m."});
}

} // namespace gasoline
