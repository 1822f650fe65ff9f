#include "actors/mcp_tools/analyze/analysis/analysis_input.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gasoline {
namespace {

result_or<std::optional<moment>> beginning(const analyze_call& asked, usual_beginning usual,
                                           const moment_sources& from) {
  if (asked.since.empty() && usual == usual_beginning::everything)
    return std::optional<moment>{};
  auto found = asked.since.empty() ? usual_moment(from) : find_moment(asked.since, from);
  if (!found)
    return tl::unexpected(found.error());
  return std::optional<moment>{std::move(*found)};
}

std::string remark_on(const gathered_events& found) {
  if (const auto evicted = found.kept->evicted; evicted > 0)
    return " " + std::to_string(evicted) + " older events were dropped by the buffers' caps.";
  return {};
}

result_or<moment> ending(const analyze_call& asked, const moment_sources& from) {
  if (asked.until.empty())
    return moment{from.now + std::chrono::milliseconds{1}, {}};
  return find_moment(asked.until, from);
}

/// How far clocks may go before ours.
constexpr std::chrono::hours most_ahead{24};

/// Whether the caller wrote down a time that is still to come. A mark that a page's clock has set
/// may lie there.
bool is_future(const analyze_call& asked, const std::optional<moment>& since, wall_time until) {
  return since && since->at > until && (!asked.until.empty() || from_iso8601(asked.since));
}

/// The first of them from that time on.
event_span::iterator from_on(event_span events, wall_time at) {
  return std::lower_bound(events.begin(), events.end(), at,
                          [](const event* e, wall_time time) { return e->at < time; });
}

} // namespace

wall_time analysis_input::latest() const {
  return events.empty() ? until : std::max(until, events.back()->at);
}

result_or<analysis_input> split_events(const analyze_call& asked, usual_beginning usual,
                                       const gathered_events& found, wall_time now,
                                       const limits_of<alert_room>& limit) {
  const moment_sources from{found.marks, found.in_order, now};
  auto since = beginning(asked, usual, from);
  if (!since)
    return tl::unexpected(std::move(since.error()));
  const auto until = ending(asked, from);
  if (!until)
    return tl::unexpected(until.error());
  if (is_future(asked, *since, until->at))
    return tl::unexpected(user_error{
        asked.until.empty() ? "since lies in the future: it is " + to_iso8601(now) + " now."
                            : "since is later than until: give them the other way round."});
  const event_span all{found.in_order};
  const auto first = *since ? from_on(all, (*since)->at) : all.begin();
  const auto last = asked.until.empty() ? until->at + most_ahead : until->at;
  const auto end = std::max(first, from_on(all, last));
  return analysis_input{asked,     {all.begin(), first}, {first, end},     std::move(*since),
                        until->at, found.marks,          remark_on(found), limit};
}

} // namespace gasoline
