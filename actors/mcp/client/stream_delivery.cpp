#include "actors/mcp/client/stream_delivery.hpp"

#include "actors/mcp/client/client_replies.hpp"
#include "actors/mcp/client/client_subscriptions.hpp"
#include "actors/mcp/client/client_timers.hpp"
#include "actors/mcp/client/stream_notifier.hpp"

#include <limits>

namespace gasoline {
namespace {

constexpr auto severity_of_events = log_severity::info;

/// Pushed messages are for clients of the legacy era, as far as their log level lets them pass.
bool may_push(const client_state& state) {
  return !state.closing && state.revision && era_of(*state.revision) == mcp_era::legacy &&
         (!state.level || severity_of_events >= *state.level);
}

void carry_out(client_pointer self, const stream_notifier::decision& next) {
  auto& state = self->state;
  if (may_push(state))
    for (const auto& [stream, events] : next.tell)
      send_unsolicited(self, stream_notification(stream, events, state.env.limit));
  if (!next.wake_at || state.notify_timer != 0)
    return;
  const auto delay =
      std::chrono::ceil<std::chrono::milliseconds>(*next.wake_at - self->clock().now());
  state.notify_timer = start_timer(self, delay, [self] {
    self->state.notify_timer = 0;
    carry_out(self, self->state.notifier->due(self->clock().now()));
  });
}

void notify(client_pointer self, const stream_notice& notice) {
  auto& state = self->state;
  if (!state.notifier)
    state.notifier = std::make_shared<stream_notifier>(state.env.limit);
  carry_out(self, state.notifier->offer(notice.stream, notice.event, self->clock().now()));
}

} // namespace

void watch_stream_behind(client_pointer self, const std::string& uri) {
  constexpr auto whatever_was = std::numeric_limits<std::uint64_t>::max();
  if (uri.starts_with(stream_resource_prefix))
    caf::anon_send(self->state.env.streams, watch_atom_v, caf::actor_cast<caf::actor>(self),
                   uri.substr(stream_resource_prefix.size()), whatever_was);
}

void take_stream_notice(client_pointer self, const stream_notice& notice) {
  auto& state = self->state;
  if (state.closing)
    return;
  if (notice.event) {
    notify(self, notice);
    return;
  }
  resource_changed(self, std::string{stream_resource_prefix} + notice.stream);
}

void end_stream_waits(client_pointer self) {
  caf::anon_send(self->state.env.streams, flush_atom_v, self->state.id);
}

} // namespace gasoline
