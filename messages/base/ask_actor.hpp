#pragma once

#include "messages/base/spawned_alone.hpp"

#include <caf/all.hpp>

#include <utility>

namespace gasoline {

/// Asks an actor from outside of all actors, without waiting: one of the two functions is called,
/// once, on a thread of the actors. `Answer` is the type of the answer.
template <class Answer, class Target, class Then, class Failed, class... Ts>
void ask_actor(caf::actor_system& system, const Target& target, Then then, Failed failed,
               Ts... question) {
  system.spawn(
      [target, then = std::move(then), failed = std::move(failed),
       ... question = std::move(question)](caf::event_based_actor* self, spawned_alone) mutable {
        self->request(target, caf::infinite, std::move(question)...)
            .then([then = std::move(then)](Answer& answer) mutable { then(answer); },
                  [failed = std::move(failed)](const caf::error&) mutable { failed(); });
      },
      spawned_alone{});
}

} // namespace gasoline
