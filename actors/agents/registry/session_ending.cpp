#include "actors/agents/registry/session_ending.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gasoline::registry_parts {
namespace {

bool is_below(const session_registry_state& state, const agent_session_id& id,
              const agent_session_id& ancestor) {
  for (auto it = state.sessions.find(id); it != state.sessions.end();
       it = state.sessions.find(it->second.parent_id))
    if (it->first == ancestor)
      return true;
  return false;
}

/// Ends a session that is to end and has no worker left; workers need their root to the last.
void end_leaf(session_registry_pointer self, const agent_session_id& id, entry& e) {
  auto& state = self->state;
  if (!e.ending || e.workers > 0 || std::exchange(e.told, true))
    return;
  const bool deleted =
      std::any_of(state.removals.begin(), state.removals.end(),
                  [&](const auto& r) { return is_below(state, id, r.session_id); });
  self->send(e.session, closed_atom_v, deleted);
}

/// A session has ended, which its parent may have waited for.
void forget(session_registry_pointer self, const agent_session_id& id) {
  auto& state = self->state;
  const auto gone = state.sessions.extract(id);
  state.setup->services->session_ended(id);
  const auto parent = state.sessions.find(gone.mapped().parent_id);
  if (parent == state.sessions.end())
    return;
  --parent->second.workers;
  end_leaf(self, parent->first, parent->second);
}

void finish_removals(session_registry_pointer self) {
  auto& state = self->state;
  auto& removals = state.removals;
  for (auto it = removals.begin(); it != removals.end();) {
    if (state.sessions.count(it->session_id) > 0) {
      ++it;
      continue;
    }
    self->request(state.store, caf::infinite, remove_atom_v, it->session_id)
        .then(
            [promise = it->promise](bool) mutable {
              promise.deliver(session_answer{session_status::no_content, nullptr});
            },
            [promise = it->promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
    it = removals.erase(it);
  }
}

void end_store(session_registry_pointer self) {
  auto& state = self->state;
  if (!state.sessions.empty() || !state.removals.empty())
    return;
  caf::anon_send_exit(state.reader, caf::exit_reason::user_shutdown);
  caf::anon_send_exit(state.store, caf::exit_reason::user_shutdown);
}

} // namespace

answer_promise remove(session_registry_pointer self, const agent_session_id& id) {
  auto& state = self->state;
  if (auto wrong = fault(state, id))
    return answered(self, std::move(*wrong));
  auto promise = self->make_response_promise<session_answer>();
  state.removals.push_back({id, promise});
  for (auto& [other, e] : state.sessions)
    if (is_below(state, other, id)) {
      e.ending = true;
      end_leaf(self, other, e);
    }
  return promise;
}

void end_now(session_registry_pointer self) {
  for (const auto& [id, e] : self->state.sessions)
    self->send_exit(e.session, caf::exit_reason::kill);
}

void begin_ending(session_registry_pointer self) {
  auto& state = self->state;
  if (state.ending)
    return;
  state.ending = true;
  self->delayed_send(self, std::chrono::milliseconds{state.setup->limit.session.end_ms},
                     tick_atom_v);
  for (auto& [id, e] : state.sessions) {
    e.ending = true;
    end_leaf(self, id, e);
  }
  end_store(self);
}

void handle_down(session_registry_pointer self, const caf::actor_addr& source) {
  auto& state = self->state;
  state.store_ended = state.store_ended || state.store.address() == source;
  state.reader_ended = state.reader_ended || state.reader.address() == source;
  if (state.store_ended && state.reader_ended) {
    self->quit();
    return;
  }
  if (!state.ending && (state.store_ended || state.reader_ended)) {
    state.problem = "The trace store has failed; restart the server.";
    return;
  }
  const auto gone = state.actors.extract(source.id());
  if (gone.empty())
    return;
  forget(self, gone.mapped());
  finish_removals(self);
  if (state.ending)
    end_store(self);
}

} // namespace gasoline::registry_parts
