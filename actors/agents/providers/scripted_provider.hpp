#pragma once

#include "actors/agents/providers/model_script.hpp"
#include "actors/base/actor_timers.hpp"
#include "messages/agents/session_actors.hpp"

#include <cstddef>

namespace gasoline {

struct scripted_provider_state {
  static inline const char* name = "scripted_provider";

  scripted_call call;
  turn_actor turn; ///< is told the chunks
  std::uint64_t call_index = 0;
  std::size_t next_step = 0;
  std::uint64_t blocks = 0; ///< begun so far
  bool waited = false;      ///< the delay of the next step is over
  bool begun = false;       ///< the turn was told that the answer begins
  actor_timers timers;
};

/// The provider that needs no key and no network: plays the element of the session's script that
/// belongs to this call. Text, thinking and tool input come in fragments, delays are those of the
/// actor clock. Without a script it repeats what the user said; a script that has run out ends the
/// turn with a sentence that says so.
provider_actor scripted_provider(caf::actor_system& system, const model_call_ptr& call,
                                 const turn_actor& turn);

/// A model call that fails at once.
provider_actor failed_provider(caf::actor_system& system, call_failure failure,
                               const turn_actor& turn);

} // namespace gasoline
