#include "actors/push/push_throttler.hpp"

#include "actors/base/exception_guard.hpp"
#include "actors/push/channel_notification.hpp"
#include "messages/alerts/alert_json.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

using self_pointer = push_throttler_actor::stateful_pointer<push_throttler_state>;

record_step expected_notification(const std::vector<merged_alert>& members,
                                  const limits_of<alert_room, push_room>& limit) {
  const nlohmann::json data{{"title", notification_title(members, limit).str()},
                            {"severity", std::string{name_of(members.front().shown->level)}}};
  return std::make_shared<const nlohmann::json>(
      nlohmann::json{{"expect", "notification"}, {"match", {{"params", {{"data", data}}}}}});
}

void write_notification(self_pointer self, const std::vector<merged_alert>& members) {
  auto& state = self->state;
  const auto& target = state.target;
  const auto write = [&](std::string text) {
    caf::anon_send(target.writer, write_atom_v,
                   rpc_text{std::make_shared<const std::string>(std::move(text))});
  };
  if (target.channel)
    write(channel_notification(members, state.limit));
  if (!target.channel || state.asked)
    write(notification_text(members, state.limit));
  if (target.alerts)
    caf::anon_send(target.alerts, pushed_atom_v, target.client, std::uint64_t{members.size()});
  if (target.recorder)
    caf::anon_send(target.recorder, record_atom_v, expected_notification(members, state.limit));
}

void carry_out(self_pointer self, const push_throttle::decision& next);

void stop_timer(self_pointer self) {
  auto& state = self->state;
  state.timers.stop(self, std::exchange(state.timer, 0));
  state.timer_at.reset();
}

void run_timer(self_pointer self, mono_time at) {
  auto& state = self->state;
  if (state.timer_at == at)
    return;
  stop_timer(self);
  state.timer_at = at;
  state.timer = state.timers.start(self, at - self->clock().now(), [self] {
    auto& s = self->state;
    s.timer = 0;
    s.timer_at.reset();
    carry_out(self, s.throttle.due(self->clock().now()));
  });
}

void carry_out(self_pointer self, const push_throttle::decision& next) {
  if (!next.emit.empty())
    write_notification(self, next.emit);
  if (next.wake_at)
    run_timer(self, *next.wake_at);
  else
    stop_timer(self);
}

} // namespace

push_throttler_actor::behavior_type
push_throttler(push_throttler_actor::stateful_pointer<push_throttler_state> self,
               push_target target, limits_of<alert_room, push_room> limit) {
  self->state.throttle = push_throttle{limit};
  self->state.limit = limit;
  self->state.target = std::move(target);
  guard_exceptions(self);
  return {
      [self](alert_atom, const alert_ptr& a) {
        carry_out(self, self->state.throttle.offer(a, self->clock().now()));
      },
      [self](enable_atom, const push_config& config) {
        self->state.asked = true;
        carry_out(self, self->state.throttle.enable(config, self->clock().now()));
        return self->state.throttle.status();
      },
      [self](clear_atom) {
        stop_timer(self);
        self->state.throttle.reset();
        self->state.asked = false;
        if (self->state.target.channel) {
          push_config channel;
          channel.enabled = true;
          carry_out(self, self->state.throttle.enable(channel, self->clock().now()));
        }
      },
      [self](disable_atom) {
        stop_timer(self);
        return self->state.throttle.disable();
      },
      [self](status_atom) { return self->state.throttle.status(); },
      [self](level_atom, level_floor level) {
        carry_out(self, self->state.throttle.set_level(level, self->clock().now()));
      },
      [self](congested_atom, bool congested) {
        carry_out(self, self->state.throttle.set_congested(congested, self->clock().now()));
      },
  };
}

} // namespace gasoline
