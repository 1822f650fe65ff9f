#pragma once

#include "actors/mcp_tools/observe/answer/observe_call.hpp"
#include "actors/mcp_tools/tool/tool.hpp"
#include "messages/alerts/told_alerts.hpp"

#include <string>

namespace gasoline {

/// `observe {what:"alerts"}`: the last alerts, of which it marks those that it shows as read. With
/// `wait_seconds` it answers at once when something is unread, else when an alert arrives, else
/// empty at the end. Progress is shown where the client asked for it; a modern client with a log
/// level gets the alerts as `notifications/message` on its own response, too.
tool_mode alerts_mode(const limits_of<client_room, result_room>& limit);

/// How its sentences name what it shows.
inline constexpr observe_subject alerts_subject{
    "alerts", "alert", "alerts",
    "Alerts are raised for errors, failed requests, regressions, CI results and limits."};

/// An answer with alerts, and what the client has read by it.
struct shown_alerts {
  std::string text;
  told_alerts told;             ///< the alerts in it
  std::uint64_t newly_read = 0; ///< how many of them were unread
};

/// The answer out of a listing; the cursor counts alerts from the newest.
shown_alerts alerts_answer(const observe_call& call, const alert_listing& listing);

} // namespace gasoline
