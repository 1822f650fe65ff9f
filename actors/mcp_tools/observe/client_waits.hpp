#pragma once

#include "actors/mcp/client/alert_wait.hpp"
#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp_tools/observe/observe_tool.hpp"

#include <cstdint>

namespace gasoline {

/// One `observe {what:"alerts", wait_seconds}` that found nothing unread and waits.
struct alert_waiter {
  request_context context;
  observe_call call;
  alert_wait wait;
  std::uint64_t timer = 0;
};

/// Answers at once when something is unread, else when an alert arrives, else empty at the end of
/// `call.wait`. Progress is shown where the client asked for it; a modern client with a log level
/// gets the alerts as `notifications/message` on its own response, too.
void wait_for_alerts(const request_context& context, const observe_call& call);

/// An alert was raised: whoever waits is answered.
void wake_waiters(client_pointer self, const alert_ptr& a);

/// Nobody waits longer: everyone is answered with what there is.
void end_waits(client_pointer self);

} // namespace gasoline
