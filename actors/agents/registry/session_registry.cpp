#include "actors/agents/registry/session_registry.hpp"

#include "actors/agents/registry/session_ending.hpp"
#include "actors/agents/registry/session_making.hpp"
#include "actors/agents/registry/session_questions.hpp"
#include "actors/agents/registry/session_watching.hpp"
#include "actors/agents/trace/trace_store.hpp"
#include "actors/base/exception_guard.hpp"

#include <memory>
#include <utility>

namespace gasoline::registry_parts {
namespace {

using nlohmann::json;

caf::typed_response_promise<health_part> health(session_registry_pointer self) {
  auto& state = self->state;
  auto promise = self->make_response_promise<health_part>();
  json own{{"count", state.sessions.size()},
           {"clients_opened", state.clients_opened},
           {"attach_tokens", state.tokens->size()}};
  if (const auto& answers = state.setup->services->answers) {
    own["answers_bytes"] = answers->used();
    own["answers_refused"] = answers->refused();
  }
  if (const auto& turns = state.setup->services->turns) {
    own["turns_bytes"] = turns->used();
    own["turns_refused"] = turns->refused();
  }
  if (!state.problem.empty())
    own["problem"] = state.problem;
  const auto part = std::make_shared<json>(json{{"sessions", std::move(own)}});
  self->request(state.store, caf::infinite, health_atom_v)
      .then(
          [promise, part](const health_part& store) mutable {
            part->update(*store);
            promise.deliver(health_part{part});
          },
          [promise, part](const caf::error&) mutable { promise.deliver(health_part{part}); });
  return promise;
}

void spawn_store(session_registry_pointer self) {
  auto& state = self->state;
  const auto& setup = *state.setup;
  const auto& services = *setup.services;
  if (setup.detached) {
    state.store = self->spawn<caf::detached + caf::monitored>(
        trace_store, setup.trace_file, services.random, services.clock, setup.limit);
    state.reader = self->spawn<caf::detached + caf::monitored>(trace_reader, setup.trace_file);
    return;
  }
  state.store = self->spawn<caf::monitored>(trace_store, setup.trace_file, services.random,
                                            services.clock, setup.limit);
  state.reader = self->spawn<caf::monitored>(trace_reader, setup.trace_file);
}

} // namespace
} // namespace gasoline::registry_parts

namespace gasoline {

session_registry_actor::behavior_type
session_registry(session_registry_actor::stateful_pointer<session_registry_state> self,
                 session_registry_setup setup) {
  using namespace registry_parts;
  guard_exceptions(self);
  auto& state = self->state;
  state.ids.emplace(setup.services->random);
  state.tokens.emplace(std::chrono::milliseconds{setup.limit.session.attach_ms},
                       setup.limit.session.attach_tokens);
  state.setup = std::move(setup);
  self->set_down_handler([self](const caf::down_msg& down) { handle_down(self, down.source); });
  self->set_exit_handler([self](const caf::exit_msg&) { begin_ending(self); });
  spawn_store(self);
  load(self);
  return {
      [self](health_atom) { return health(self); },
      [self](create_atom, const json_document& body, const session_caller& caller) {
        return create(self, *body, caller);
      },
      [self](open_atom, const agent_session_id& id, const session_caller& caller) {
        return admit(self, id, caller);
      },
      [self](list_atom, const session_caller& caller, const agent_session_id& before,
             std::uint64_t most) { return list(self, caller, before, most); },
      [self](attach_atom, const agent_session_id& id, const attach_request& request) {
        return attach(self, id, request);
      },
      [self](messages_atom, const agent_session_id& id, const agent_message_id& before,
             std::uint64_t limit) { return messages(self, id, before, limit); },
      [self](submit_atom, const agent_session_id& id, const json_document& body,
             const std::string& key) { return pass_on(self, id, submit_atom_v, body, key); },
      [self](cancel_atom, const agent_session_id& id, const agent_turn_id& turn_id,
             const std::string& reason) { return cancel_turn(self, id, turn_id, reason); },
      [self](permit_atom, const agent_session_id& id, const std::string& request_id,
             const json_document& body,
             bool trusted) { return permit(self, id, request_id, *body, trusted); },
      [self](feedback_atom, const agent_session_id& id, const agent_message_id& message,
             const json_document& body) {
        return pass_on(self, id, feedback_atom_v, message, body);
      },
      [self](external_atom, const agent_session_id& id, const json_document& body) {
        return pass_on(self, id, external_atom_v, body);
      },
      [self](remove_atom, const agent_session_id& id) { return remove(self, id); },
      [self](open_atom, const agent_session_id& id, const std::string& token,
             frame_port_ptr& port) { return open(self, id, token, port); },
      [self](follow_atom, const agent_session_id& id, const json_document& frame,
             frame_port_ptr& port) { return listen(self, id, *frame, port); },
      [self](spawn_atom, const worker_spec& spec) { return spawn_worker(self, spec); },
      [self](alert_atom, const alert_ptr& a) {
        for (const auto& [id, e] : self->state.sessions)
          if (e.parent_id.empty() && !e.ending)
            self->send(e.session, alert_atom_v, a);
      },
      [self](tick_atom) { end_now(self); },
  };
}

} // namespace gasoline
