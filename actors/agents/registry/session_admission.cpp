#include "actors/agents/registry/session_admission.hpp"

#include <utility>

namespace gasoline::registry_parts {

wall_time wall_now(session_registry_pointer self) {
  return self->state.setup->services->clock(self->clock().now());
}

session_answer not_found(const agent_session_id& id) {
  return session_error(session_status::not_found, "session_not_found",
                       "There is no session " + id.text() + ". GET /sessions lists all.");
}

session_answer unavailable(const session_registry_state& state) {
  return session_error(session_status::unavailable, "sessions_unavailable",
                       state.problem.empty() ? "The server is ending." : state.problem);
}

const entry* find(const session_registry_state& state, const agent_session_id& id) {
  const auto it = state.sessions.find(id);
  return it == state.sessions.end() || it->second.ending ? nullptr : &it->second;
}

std::optional<session_answer> fault(const session_registry_state& state,
                                    const agent_session_id& id) {
  if (state.ending || !state.problem.empty())
    return unavailable(state);
  if (find(state, id) == nullptr)
    return not_found(id);
  return std::nullopt;
}

answer_promise answered(session_registry_pointer self, session_answer answer) {
  auto promise = self->make_response_promise<session_answer>();
  promise.deliver(std::move(answer));
  return promise;
}

session_answer admit(session_registry_pointer self, const agent_session_id& id,
                     const session_caller& caller) {
  const auto* e = find(self->state, id);
  if (e == nullptr || caller.trusted || e->owner.knows_key(caller))
    return {};
  if (!e->owner.admits(caller))
    return session_error(session_status::unauthorized, "session_not_yours",
                         "This session was made by somebody else. Send its session_key, or what is "
                         "in the file 'token' of the state directory, as 'Authorization: Bearer "
                         "…'.");
  const auto& services = *self->state.setup->services;
  if (services.costs && services.costs(e->provider))
    return session_error(session_status::unauthorized, "token_needed",
                         "The model of this session is asked with the owner's key: send "
                         "'Authorization: Bearer …' with what is in the file 'token' of the state "
                         "directory.");
  auto refusal = services.tool_fault(e->tools, caller.trusted);
  if (refusal && refusal->status == session_status::unauthorized)
    return std::move(*refusal);
  return {};
}

} // namespace gasoline::registry_parts
