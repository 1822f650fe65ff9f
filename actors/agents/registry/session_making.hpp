#pragma once

#include "actors/agents/registry/session_admission.hpp"

namespace gasoline::registry_parts {

using worker_promise = caf::typed_response_promise<agent_session_actor>;

/// `POST /sessions`: stores a new session, and answers its key this once.
answer_promise create(session_registry_pointer self, const nlohmann::json& body,
                      const session_caller& caller);

/// A worker of a session.
worker_promise spawn_worker(session_registry_pointer self, const worker_spec& spec);

/// Has all sessions again that the store knows.
void load(session_registry_pointer self);

} // namespace gasoline::registry_parts
