#include "actors/mcp_tools/observe/client_waits.hpp"

#include "actors/mcp/client/client_reads.hpp"
#include "actors/mcp/client/client_timers.hpp"
#include "actors/mcp/client/client_tools.hpp"
#include "messages/alerts/alert_json.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using waiter_ptr = std::shared_ptr<alert_waiter>;

void forget(client_pointer self, const waiter_ptr& waiter) {
  stop_timer(self, waiter->timer);
  auto& waiters = self->state.waiters;
  waiters.erase(std::remove(waiters.begin(), waiters.end(), waiter), waiters.end());
}

void finish(client_pointer self, const waiter_ptr& waiter) {
  forget(self, waiter);
  answer_alerts(waiter->context, waiter->call);
}

/// Shows progress and looks again later, or gives up.
void look(client_pointer self, const waiter_ptr& waiter) {
  const auto step = waiter->wait.at(self->clock().now());
  if (step.over) {
    finish(self, waiter);
    return;
  }
  if (step.progressed) {
    const auto total = waiter->wait.length().count();
    waiter->context.progress(static_cast<double>(step.progressed->count()),
                             static_cast<double>(total), "Waiting for an alert.");
  }
  waiter->timer = start_timer(self, std::chrono::ceil<std::chrono::milliseconds>(step.next),
                              [self, waiter] { look(self, waiter); });
}

void begin(const request_context& context, const observe_call& call) {
  auto* self = context.session();
  std::optional<std::chrono::milliseconds> every;
  if (context.wants_progress())
    every = std::chrono::milliseconds{self->state.env.limit.client.progress_ms};
  const auto waiter = std::make_shared<alert_waiter>(
      alert_waiter{context, call, alert_wait{self->clock().now(), call.wait, every}});
  self->state.waiters.push_back(waiter);
  context.on_cancelled([self, waiter] { forget(self, waiter); });
  look(self, waiter);
}

bool any_unread(const alert_listing& listing) {
  return std::any_of(listing.items.begin(), listing.items.end(),
                     [](const listed_alert& item) { return item.unread; });
}

/// The parameters that the alert would be pushed with.
json pushed_params(const alert_ptr& a, const limits& limit) {
  return json::parse(notification_text({merged_alert{a}}, limit)).at("params");
}

void log_alert(const request_context& context, const json& params) {
  context.log(params.at("level").get<std::string>(), params.at("logger").get<std::string>(),
              params.at("data"));
}

} // namespace

void wait_for_alerts(const request_context& context, const observe_call& call) {
  read_alerts(context, [context, call](const alert_listing& listing) {
    if (!context.is_open())
      return;
    if (any_unread(listing) || context.session()->state.closing)
      answer_alert_listing(context, call, listing);
    else
      begin(context, call);
  });
}

void wake_waiters(client_pointer self, const alert_ptr& a) {
  const auto waiters = self->state.waiters;
  json params; // the same for all that wait
  for (const auto& waiter : waiters) {
    if (waiter->context.era() == mcp_era::modern) {
      if (params.is_null())
        params = pushed_params(a, self->state.env.limit);
      log_alert(waiter->context, params);
    }
    finish(self, waiter);
  }
}

void end_waits(client_pointer self) {
  const auto waiters = self->state.waiters;
  for (const auto& waiter : waiters)
    finish(self, waiter);
}

} // namespace gasoline
