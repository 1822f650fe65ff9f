#pragma once

#include "actors/base/actor_timers.hpp"
#include "actors/push/push_throttle.hpp"
#include "config/limits.hpp"
#include "messages/alert_actors.hpp"

#include <cstdint>
#include <optional>

namespace gasoline {

/// Where one client's notifications go, and who is told of them.
struct push_target {
  message_writer writer;
  recorder_actor recorder;   ///< null: nothing is recorded
  alert_ledger_actor alerts; ///< counts what was sent; null: nobody does
  client_id client = 0;
  bool channel = false; ///< notifications go into the agent's conversation
};

struct push_throttler_state {
  static inline const char* name = "push_throttler";

  push_throttle throttle;
  limits_of<alert_room, push_room> limit;
  push_target target;
  bool asked = false; ///< turned on by the client itself
  actor_timers timers;
  std::uint64_t timer = 0;           ///< the running one; 0: none runs
  std::optional<mono_time> timer_at; ///< when the running timer fires; nothing: none runs
};

/// One client's push notifications. Off until `enable`. Writes each
/// notification as one message to the writer; a timer runs only while alerts wait for it. With a
/// recorder, each notification is also recorded as an `expect` step.
push_throttler_actor::behavior_type
push_throttler(push_throttler_actor::stateful_pointer<push_throttler_state> self,
               push_target target, limits_of<alert_room, push_room> limit);

} // namespace gasoline
