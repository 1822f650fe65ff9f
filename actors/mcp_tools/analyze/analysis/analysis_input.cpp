#include "actors/mcp_tools/analyze/analysis/analysis_input.hpp"

#include <chrono>
#include <memory>
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
  if (!found.complete)
    return " Only the newest events were looked at.";
  if (found.evicted > 0)
    return " " + std::to_string(found.evicted) + " older events were dropped by the buffers' caps.";
  return {};
}

result_or<moment> ending(const analyze_call& asked, const moment_sources& from) {
  if (asked.until.empty())
    return moment{from.now + std::chrono::milliseconds{1}, {}};
  return find_moment(asked.until, from);
}

/// The first of several identical events, which the store keeps as one.
event_group first_of(const event_group& group) {
  auto first = std::make_shared<event>(*group.newest);
  first->at = group.first_at;
  return {std::move(first), group.first_at, 1};
}

/// Puts events before `since` apart, and leaves out those from `until` on.
void split(analysis_input& out, const gathered_events& found) {
  const auto since = out.since ? out.since->at : wall_time::min();
  for (const auto& group : found.events) {
    if (group.newest->at >= out.until)
      continue;
    if (group.newest->at < since) {
      out.earlier.push_back(group);
      continue;
    }
    if (group.first_at >= since || group.count < 2) {
      out.events.push_back(group);
      continue;
    }
    out.earlier.push_back(first_of(group));
    out.events.push_back({group.newest, group.newest->at, group.count - 1});
  }
}

} // namespace

result_or<analysis_input> split_events(const analyze_call& asked, usual_beginning usual,
                                       const gathered_events& found, wall_time now,
                                       const limits_of<alert_room>& limit) {
  const moment_sources from{found.marks, found.events, now};
  auto since = beginning(asked, usual, from);
  if (!since)
    return tl::unexpected(std::move(since.error()));
  const auto until = ending(asked, from);
  if (!until)
    return tl::unexpected(until.error());
  if (*since && (*since)->at > until->at)
    return tl::unexpected(user_error{"since is later than until: give them the other way round."});
  analysis_input out{asked, {}, {}, std::move(*since), until->at, found.marks, remark_on(found),
                     limit};
  split(out, found);
  return out;
}

} // namespace gasoline
