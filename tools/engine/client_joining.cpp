#include "tools/engine/client_joining.hpp"

#include "messages/base/ask_actor.hpp"

#include <utility>

namespace gasoline {

void join_engine(caf::actor_system& system, const local_engine_actor& target,
                 const message_writer& writer, const client_origin& origin,
                 const agent_place& place, std::function<void(client_actor)> done) {
  ask_actor<client_actor>(
      system, target, [done](const client_actor& session) { done(session); }, [done] { done({}); },
      attach_atom_v, writer, origin, place);
}

client_joining join_to(caf::actor_system& system, const local_engine_actor& target) {
  return [&system, target](const message_writer& writer, const client_origin& origin,
                           std::function<void(client_actor)> done) {
    join_engine(system, target, writer, origin, {}, std::move(done));
  };
}

} // namespace gasoline
