#pragma once

#include "config/settings.hpp"
#include "messages/agents/tool.hpp"
#include "messages/mcp/client.hpp"
#include "messages/telemetry/query.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>

namespace gasoline {

/// A checked `observe` call.
struct observe_call {
  store_query query;
  std::chrono::seconds wait{0}; ///< `what: alerts`: how long to wait for an unread one
  std::string ignored;          ///< arguments it does not know, for the summary sentence
};

/// Checks the arguments of `observe`; `now` is what an age in `since` counts from.
result_or<observe_call> parse_observe(const nlohmann::json& arguments, const limits& limit,
                                      wall_time now);

/// One summary sentence, a line break, compact JSON `{items, count, total, cursor?}`; within
/// `query.max_bytes`. An empty answer says why it is empty and what to do next.
tool_result observe_result(const observe_call& call, const store_page& page);

/// The answer to `what: alerts`, and what the client has read by it.
struct shown_alerts {
  tool_result result;
  std::uint64_t newly_read = 0;
  std::vector<std::uint64_t> still_unread; ///< ids of unread alerts that were not shown
};

/// The same for `what: alerts`; the cursor counts alerts from the newest.
shown_alerts observe_alerts_result(const observe_call& call, const alert_listing& listing);

/// The same for `what: ci`, out of the CI monitor's list.
tool_result observe_ci_result(const observe_call& call, const nlohmann::json& results);

} // namespace gasoline
