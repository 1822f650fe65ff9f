#include "actors/agents/session/agent_session.hpp"

#include "actors/agents/session/session_intake.hpp"
#include "actors/agents/session/session_release.hpp"
#include "actors/agents/session/session_turns.hpp"
#include "actors/base/exception_guard.hpp"

#include <algorithm>
#include <utility>

namespace gasoline::session_parts {
namespace {

using type = session_event_type;

// ---- clients ----

attach_point follow(agent_session_pointer self, const session_follower& client,
                    session_filter& filter, std::string& name) {
  auto& state = self->state;
  state.awake = true;
  auto point = state.position->attach(filter.with_workers, *state.shown);
  self->monitor(client);
  state.subscribers.push_back({client, std::move(filter), std::move(name)});
  return point;
}

void unregister(agent_session_pointer self, const caf::actor_addr& client,
                const std::string& reason, std::uint64_t written) {
  auto& subscribers = self->state.subscribers;
  const auto it = std::find_if(subscribers.begin(), subscribers.end(),
                               [&](const auto& s) { return s.client.address() == client; });
  if (it == subscribers.end())
    return;
  const auto name = std::move(it->name);
  subscribers.erase(it);
  // Parts of the engine follow without a name, and a refused subscription never was one.
  if (name.empty() || reason == "refused")
    return;
  if (reason == "client_too_slow")
    emit_one(self, type::bus_handler_warning,
             {{"subscription_name", name},
              {"code", reason},
              {"message", "Outbound queue overflowed; the client was disconnected."}});
  emit_one(self, type::bus_subscriber_unregistered,
           {{"subscription_name", name}, {"reason", reason}, {"written", written}});
}

void leave(agent_session_pointer self, const std::string& reason, std::uint64_t written) {
  const auto client = caf::actor_cast<caf::actor_addr>(self->current_sender());
  self->demonitor(client);
  unregister(self, client, reason, written);
}

// ---- beginning and end ----

/// The store cannot write: whoever waits is told, and what has begun ends.
void take_failure(agent_session_pointer self, const std::string& why) {
  auto& state = self->state;
  const bool is_news = state.trouble.empty();
  state.trouble = why;
  give_up_waiting(self);
  for (auto& waiting : std::exchange(state.submitted, {}))
    waiting.then(false);
  for (const auto& [id, worker] : state.members)
    self->send(worker.session, failed_atom_v, why);
  if (is_news && state.turn)
    self->send(state.turn, cancel_atom_v, std::string{"trace_unavailable"});
}

void close(agent_session_pointer self, bool deleted) {
  auto& state = self->state;
  if (state.closing)
    return;
  state.closing = true;
  state.deleted = deleted;
  const std::string reason{deleted ? "session_deleted" : "server_shutdown"};
  while (!state.now.queue.empty()) {
    const auto waiting = state.now.queue.front().turn_id;
    cancel_queued(self, waiting, reason);
  }
  if (state.turn)
    self->send(state.turn, cancel_atom_v, reason);
  else
    finish_closing(self);
}

void begin(agent_session_pointer self, agent_session_setup setup) {
  auto& state = self->state;
  const auto at = setup.services->clock(self->clock().now());
  state.now = setup.summary;
  state.shown = std::make_shared<const session_summary>(setup.summary);
  state.awake = !setup.stored;
  state.ids.emplace(setup.services->random);
  state.ids->raise_floor(setup.floor);
  state.ids->raise_floor(setup.head);
  const auto make_id = [self] { return agent_message_id::next(*self->state.ids, wall_now(self)); };
  state.external = external_events{setup.limit, make_id, budget_share{setup.services->answers}};
  state.waiting_share = budget_share{setup.services->turns};
  // A session in which nothing has happened yet has a cursor as well.
  state.last_id = setup.head.empty() ? state.ids->next(id_kind::record, at) : setup.head;
  state.position.emplace(setup.summary.id, state.last_id);
  state.setup = std::move(setup);
  if (!is_root(state))
    self->send(state.setup->root, join_atom_v, state.now.id, state.now.parent_id,
               released_sink{self});
}

void handle_down(agent_session_pointer self, const caf::actor_addr& source) {
  auto& state = self->state;
  if (state.turn && state.turn.address() == source)
    return handle_turn_down(self);
  std::erase_if(state.members, [&](const auto& m) { return m.second.session.address() == source; });
  unregister(self, source, "crashed", 0);
}

} // namespace
} // namespace gasoline::session_parts

namespace gasoline {

agent_session_actor::behavior_type
agent_session(agent_session_actor::stateful_pointer<agent_session_state> self,
              agent_session_setup setup) {
  using namespace session_parts;
  guard_exceptions(self);
  self->set_down_handler([self](const caf::down_msg& down) { handle_down(self, down.source); });
  begin(self, std::move(setup));
  return {
      [self](submit_atom, const json_document& body, const std::string& key) {
        return submit(self, *body, key);
      },
      [self](cancel_atom, const agent_turn_id& turn_id, const std::string& reason) {
        return cancel(self, turn_id, reason);
      },
      [self](permit_atom, const std::string& request_id, permission_decision decision) {
        return permit(self, request_id, decision);
      },
      [self](follow_atom, const session_follower& client, session_filter& filter,
             std::string& name) { return follow(self, client, filter, name); },
      [self](leave_atom, const std::string& reason, std::uint64_t written) {
        leave(self, reason, written);
      },
      [self](emit_atom, const session_steps& steps) {
        emit(self, steps);
        note_started_turns(self, *steps);
      },
      [self](flush_atom) {
        auto promise = self->make_response_promise<bool>();
        after_release(self, [promise](bool stored) mutable { promise.deliver(stored); });
        return promise;
      },
      [self](emit_atom, const session_steps& steps, const agent_session_id&) {
        order(self, *steps);
      },
      [self](join_atom, agent_session_id& id, agent_session_id& parent_id,
             const released_sink& session) {
        self->monitor(session);
        self->state.members.insert_or_assign(
            std::move(id), agent_session_state::member{std::move(parent_id), session});
      },
      [self](deliver_atom, const released_steps& steps) {
        self->state.trouble.clear();
        show(self, *steps);
      },
      [self](stored_atom, std::uint64_t number) {
        self->state.queue.acknowledge(number);
        self->state.trouble.clear();
        release(self);
      },
      [self](failed_atom, const std::string& why) { take_failure(self, why); },
      [self](status_atom) { return *self->state.shown; },
      [self](external_atom, const json_document& body) { return take_external(self, *body); },
      [self](feedback_atom, const agent_message_id& message_id, const json_document& body) {
        return feedback(self, message_id, body);
      },
      [self](alert_atom, const alert_ptr& a) { take_alert(self, *a); },
      [self](unseen_atom) { return take_unseen(self); },
      [self](closed_atom, bool deleted) { close(self, deleted); },
  };
}

} // namespace gasoline
