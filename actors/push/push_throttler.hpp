#pragma once

#include "actors/push/push_throttle.hpp"
#include "config/limits.hpp"
#include "messages/actors.hpp"

#include <cstdint>
#include <optional>

namespace gasoline {

struct push_throttler_state {
  static inline const char* name = "push_throttler";

  push_throttle throttle;
  limits limit;
  message_writer writer;
  caf::actor recorder;               ///< null: nothing is recorded
  std::uint64_t generation = 0;      ///< of the running timer; flushes of older ones do nothing
  std::optional<mono_time> timer_at; ///< when the running timer fires; nothing: none runs
};

/// One client's push notifications. Off until `enable`. Writes each
/// notification as one message to `writer`; a timer runs only while alerts wait for it. With a
/// recorder, each notification is also recorded as an `expect` step.
push_throttler_actor::behavior_type
push_throttler(push_throttler_actor::stateful_pointer<push_throttler_state> self,
               message_writer writer, caf::actor recorder, limits limit);

} // namespace gasoline
