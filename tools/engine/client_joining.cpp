#include "tools/engine/client_joining.hpp"

#include <utility>

namespace gasoline {

client_joining join_to(caf::actor_system& system, const engine_actor& target) {
  return [&system, target](const message_writer& writer, const client_origin& origin,
                           std::function<void(client_actor)> done) {
    system.spawn([target, writer, origin, done = std::move(done)](caf::event_based_actor* self) {
      self->request(target, caf::infinite, attach_atom_v, writer, origin)
          .then([done](const client_actor& session) { done(session); },
                [done](const caf::error&) { done(client_actor{}); });
    });
  };
}

} // namespace gasoline
