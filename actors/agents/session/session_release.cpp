#include "actors/agents/session/session_release.hpp"

#include "actors/agents/session/session_changes.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace gasoline::session_parts {
namespace {

using nlohmann::json;
using type = session_event_type;

/// Hands the events to every client whom they concern; those that want all of them share one copy.
void tell_subscribers(agent_session_pointer self, const session_events& events) {
  if (events.empty())
    return;
  const auto& id = self->state.setup->summary.id;
  const auto matched_by = [&](const agent_session_state::subscriber& s) {
    return std::all_of(events.begin(), events.end(),
                       [&](const auto& e) { return s.filter.matches(*e, id); });
  };
  caf::message all; // made once, for whoever wants all of it: `send` would make it anew for each
  for (const auto& s : self->state.subscribers) {
    if (matched_by(s)) {
      if (all.empty())
        all = caf::make_message(deliver_atom_v, events);
      caf::actor_cast<caf::strong_actor_ptr>(s.client)->enqueue(
          self->ctrl(), caf::make_message_id(), all, self->context());
      continue;
    }
    session_events wanted;
    for (const auto& e : events)
      if (s.filter.matches(*e, id))
        wanted.push_back(e);
    if (!wanted.empty())
      self->send(s.client, deliver_atom_v, std::move(wanted));
  }
}

/// Sends the released steps of workers to them and to the workers above them.
void pass_on(agent_session_pointer self, const std::vector<released_step>& steps) {
  const auto& members = self->state.members;
  if (members.empty())
    return;
  std::map<agent_session_id, std::vector<released_step>> shares;
  for (const auto& s : steps)
    for (auto it = members.find(s.event->session_id); it != members.end();
         it = members.find(it->second.parent_id))
      shares[it->first].push_back(s);
  for (auto& [id, share] : shares)
    self->send(members.at(id).session, deliver_atom_v,
               std::make_shared<const std::vector<released_step>>(std::move(share)));
}

void call_waiters(agent_session_pointer self) {
  auto& waiters = self->state.waiters;
  while (!waiters.empty() && waiters.front().upto <= self->state.position->head()) {
    const auto then = std::move(waiters.front().then);
    waiters.pop_front();
    then(true);
  }
}

session_message_ptr stored_message(agent_session_pointer self, const session_step& step,
                                   const session_event& e) {
  if (!step.message)
    return nullptr;
  auto& starts = self->state.message_starts;
  auto message = std::make_shared<session_message>(*step.message);
  message->session_id = step.session_id;
  message->complete_event = e.id;
  if (message->created == wall_time{})
    message->created = e.at;
  if (const auto it = starts.find(message->id); it != starts.end()) {
    message->start_event = it->second;
    starts.erase(it);
  }
  return message;
}

} // namespace

bool is_root(const agent_session_state& state) {
  return !state.setup->root;
}

wall_time wall_now(agent_session_pointer self) {
  return self->state.setup->services->clock(self->clock().now());
}

void show(agent_session_pointer self, const std::vector<released_step>& steps) {
  auto& state = self->state;
  const auto& id = state.setup->summary.id;
  session_events events;
  events.reserve(steps.size());
  for (const auto& s : steps) {
    state.position->show(s.event, state.shown);
    if (s.summary && s.event->session_id == id)
      state.shown = s.summary;
    events.push_back(s.event);
  }
  tell_subscribers(self, events);
}

void give_up_waiting(agent_session_pointer self) {
  for (const auto& waiting : std::exchange(self->state.waiters, {}))
    waiting.then(false);
}

void release(agent_session_pointer self) {
  const auto steps = self->state.queue.take();
  if (steps.empty())
    return;
  show(self, steps);
  pass_on(self, steps);
  call_waiters(self);
}

void order(agent_session_pointer self, const std::vector<session_step>& steps) {
  auto& state = self->state;
  auto records = std::make_shared<std::vector<trace_record>>();
  const auto at = wall_now(self);
  for (const auto& s : steps) {
    auto e = make_session_event(s.draft, state.ids->next(id_kind::record, at), s.session_id,
                                s.parent_id, at);
    state.last_id = e->id;
    if (e->type == type::message_start)
      state.message_starts.emplace(e->message_id, e->id);
    if (!catalog_row(e->type).persisted && !s.message && !s.tool && !s.summary) {
      state.queue.push({std::move(e), nullptr});
      continue;
    }
    trace_record record;
    record.event = e;
    record.message = stored_message(self, s, *e);
    record.tool = s.tool;
    record.summary = s.summary;
    record.number = state.queue.push_stored({std::move(e), s.summary});
    records->push_back(std::move(record));
  }
  if (!records->empty())
    self->send(state.setup->store, write_atom_v, trace_records{std::move(records)});
  release(self);
}

void after_release(agent_session_pointer self, std::function<void(bool stored)> then) {
  auto& state = self->state;
  if (!is_root(state)) {
    self->request(state.setup->root, caf::infinite, flush_atom_v)
        .then([then](bool stored) { then(stored); }, [then](const caf::error&) { then(false); });
    return;
  }
  if (state.queue.empty())
    then(true);
  else if (!state.trouble.empty())
    then(false);
  else
    state.waiters.push_back({state.last_id, std::move(then)});
}

void emit(agent_session_pointer self, session_steps steps) {
  auto& state = self->state;
  for (auto& s : *steps) {
    s.session_id = state.now.id;
    s.parent_id = state.now.parent_id;
    if (apply_event(state.now, s.draft))
      s.summary = std::make_shared<const session_summary>(state.now);
  }
  static_cast<void>(
      state.waiting_share.hold(waiting_bytes(state.now.queue))); // `submit` found room
  if (is_root(state))
    order(self, *steps);
  else
    self->send(state.setup->root, emit_atom_v, std::move(steps), state.now.id);
}

void emit_of_turn(agent_session_pointer self, type kind, agent_turn_id turn_id, json payload) {
  session_step one;
  one.draft.type = kind;
  one.draft.actor = "system";
  one.draft.turn_id = std::move(turn_id);
  one.draft.payload = std::move(payload);
  emit(self, std::make_shared<std::vector<session_step>>(1, std::move(one)));
}

void emit_one(agent_session_pointer self, type kind, json payload) {
  emit_of_turn(self, kind, self->state.now.current_turn_id, std::move(payload));
}

session_answer trouble_answer(const std::string& trouble) {
  return session_error(session_status::unavailable, "trace_unavailable",
                       trouble + " Nothing was begun; try again once that is mended.");
}

void answer_when_released(agent_session_pointer self, answer_promise promise,
                          session_answer answer) {
  after_release(self, [self, promise, answer = std::move(answer)](bool stored) mutable {
    promise.deliver(stored ? std::move(answer) : trouble_answer(self->state.trouble));
  });
}

void finish_closing(agent_session_pointer self) {
  after_release(self, [self](bool) {
    for (const auto& s : self->state.subscribers)
      self->send(s.client, closed_atom_v, self->state.deleted);
    // Clients that follow nothing yet learn it from this.
    self->quit(self->state.deleted ? caf::exit_reason::normal : caf::exit_reason::user_shutdown);
  });
}

} // namespace gasoline::session_parts
