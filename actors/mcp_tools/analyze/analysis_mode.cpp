#include "actors/mcp_tools/analyze/analysis_mode.hpp"

#include "messages/base/presentable_text.hpp"
#include "messages/telemetry/absence_of_telemetry.hpp"

#include <chrono>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

result_or<std::optional<moment>> beginning(const analysis& what, const analyze_call& asked,
                                           const moment_sources& from) {
  if (asked.since.empty() && !what.compares)
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

void run_analysis(const tool_call& call, const analysis& what, const analyze_call& asked,
                  const gathered_events& found) {
  const moment_sources from{found.marks, found.events, call.wall_now()};
  auto since = beginning(what, asked, from);
  if (!since)
    return call.refuse(std::move(since.error().message));
  const auto until = ending(asked, from);
  if (!until)
    return call.refuse(until.error().message);
  if (*since && (*since)->at > until->at)
    return call.refuse("since is later than until: give them the other way round.");
  analysis_input input{
      asked, {}, {}, std::move(*since), until->at, found.marks, remark_on(found), call.limit()};
  split(input, found);
  call.answer(text_result(what.answer(input)));
}

void say_why_nothing_came(const tool_call& call) {
  call.health([call](const nlohmann::json& health) {
    call.answer(text_result("Nothing to analyze: " + absence_of_telemetry(health) + ' ' +
                            std::string{outside_text_label} + "\n{}"));
  });
}

} // namespace

tool_mode analysis_mode(const analysis& what, const limits_of<result_room>& limit) {
  return make_mode(what.name, what.about, analyze_parameters(limit),
                   [what](const tool_call& call, analyze_call asked) {
                     auto url = asked.url;
                     gather_events(
                         call, std::move(url),
                         [call, what, asked = std::move(asked)](const gathered_events& found) {
                           if (found.any_source_seen)
                             run_analysis(call, what, asked, found);
                           else
                             say_why_nothing_came(call);
                         });
                   });
}

} // namespace gasoline
