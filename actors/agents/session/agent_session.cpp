#include "actors/agents/session/agent_session.hpp"

#include "actors/agents/session/alert_lines.hpp"
#include "actors/agents/turn/turn.hpp"
#include "actors/agents/turn/turn_request.hpp"
#include "actors/base/exception_guard.hpp"
#include "messages/base/json_text.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using type = session_event_type;
using agent_session_pointer = agent_session_actor::stateful_pointer<agent_session_state>;

bool is_root(const agent_session_state& state) {
  return !state.setup->root;
}

wall_time wall_now(agent_session_pointer self) {
  return self->state.setup->services->clock(self->clock().now());
}

void finish_closing(agent_session_pointer self);

// ---- showing ----

/// Hands the events to every client whom they concern; those that want all of them share one copy.
void tell_subscribers(agent_session_pointer self, const session_events& events) {
  const auto& id = self->state.setup->summary.id;
  for (const auto& s : self->state.subscribers) {
    session_events wanted;
    for (const auto& e : events)
      if (s.filter.matches(*e, id))
        wanted.push_back(e);
    if (!wanted.empty())
      self->send(s.client, deliver_atom_v, std::move(wanted));
  }
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

// ---- the root of a tree: numbering and storing ----

/// Sends the released steps of workers to them and to the workers above them.
void pass_on(agent_session_pointer self, const std::vector<released_step>& steps) {
  const auto& members = self->state.members;
  if (members.empty())
    return;
  std::map<std::string, std::vector<released_step>> shares;
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

/// Nobody waits for what cannot be stored now; it is shown when it can.
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

/// Numbers the steps; what is stored goes to the store, the rest waits behind it.
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

/// Calls `then` once everything emitted so far has been released, or cannot be stored.
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

// ---- what happens in this session ----

double cost_in(const json& payload) {
  const auto it = payload.find("cost_usd");
  return it != payload.end() && it->is_number() ? it->get<double>() : 0;
}

void apply_resolution(session_summary& summary, const json& payload) {
  std::erase_if(summary.permissions, [&](const json& asked) {
    return asked.value("request_id", json()) == payload.value("request_id", json());
  });
  const auto tool = payload.value("tool", std::string{});
  const auto& grants = summary.grants;
  if (payload.value("decision", "") == name_of(permission_decision::allow_session) &&
      std::find(grants.begin(), grants.end(), tool) == grants.end())
    summary.grants.push_back(tool);
}

/// What the session is after the event; true: something of it has changed.
bool apply(session_summary& summary, const event_draft& draft) {
  switch (draft.type) {
  case type::turn_started:
    ++summary.turn_count;
    summary.current_turn_id = draft.turn_id;
    std::erase_if(summary.queue,
                  [&](const queued_turn& waiting) { return waiting.turn_id == draft.turn_id; });
    return true;
  case type::turn_queued:
    return true;
  case type::turn_completed:
  case type::turn_cancelled:
    // A turn that was still queued ends without having been current.
    if (summary.current_turn_id == draft.turn_id) {
      summary.current_turn_id.clear();
      summary.permissions.clear();
    }
    return true;
  case type::permission_requested:
    summary.permissions.push_back(draft.payload);
    return true;
  case type::permission_resolved:
    apply_resolution(summary, draft.payload);
    return true;
  case type::llm_call_started:
    ++summary.model_calls;
    return true;
  case type::llm_call_completed:
  case type::llm_call_failed:
    summary.cost_so_far_usd += cost_in(draft.payload);
    return true;
  default:
    return false;
  }
}

void emit(agent_session_pointer self, session_steps steps) {
  auto& state = self->state;
  for (auto& s : *steps) {
    s.session_id = state.now.id;
    s.parent_id = state.now.parent_id;
    if (apply(state.now, s.draft))
      s.summary = std::make_shared<const session_summary>(state.now);
  }
  if (is_root(state))
    order(self, *steps);
  else
    self->send(state.setup->root, emit_atom_v, std::move(steps), state.now.id);
}

/// Something that the engine itself tells of a turn.
void emit_of_turn(agent_session_pointer self, type kind, std::string turn_id, json payload) {
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

// ---- turns ----

std::string new_turn_id(agent_session_pointer self) {
  auto& state = self->state;
  ulid_source ids{state.setup->services->random};
  ids.raise_floor(state.position->head());
  if (!state.now.queue.empty())
    ids.raise_floor(state.now.queue.back().turn_id);
  return ids.next(id_kind::turn, wall_now(self));
}

turn_setup setup_of_turn(agent_session_pointer self, std::string id, json content) {
  auto& state = self->state;
  const auto& services = *state.setup->services;
  const auto colon = state.now.active_model.find(':');
  auto ids = std::make_shared<ulid_source>(services.random);
  ids->raise_floor(state.position->head());
  turn_setup setup;
  setup.session_id = state.now.id;
  setup.turn_id = std::move(id);
  setup.provider = state.now.active_model.substr(0, colon);
  setup.model = state.now.active_model.substr(colon + 1);
  setup.routing_policy_version = state.now.routing_policy_version;
  setup.actor = state.now.parent_id.empty() ? "agent" : "worker";
  setup.user_content = std::move(content);
  setup.first_call_index = state.now.model_calls;
  setup.tool_count = services.tools_of(state.now.tools).size();
  setup.limit = state.setup->limit;
  setup.price = services.price_of(state.now.active_model);
  setup.wall_now = [self] { return wall_now(self); };
  setup.make_id = [ids, now = setup.wall_now](id_kind kind) { return ids->next(kind, now()); };
  return setup;
}

using answer_promise = caf::typed_response_promise<session_answer>;

session_answer trouble_answer(const std::string& trouble) {
  return session_error(session_status::unavailable, "trace_unavailable",
                       trouble + " Nothing was begun; try again once that is mended.");
}

/// Answers once what was emitted so far is stored, and says so when it cannot be.
void answer_when_released(agent_session_pointer self, answer_promise promise,
                          session_answer answer) {
  after_release(self, [self, promise, answer = std::move(answer)](bool stored) mutable {
    promise.deliver(stored ? std::move(answer) : trouble_answer(self->state.trouble));
  });
}

void start_turn(agent_session_pointer self, std::string id, json content) {
  auto& state = self->state;
  // Set now, so that a second turn cannot slip in before the first has told of itself.
  state.now.current_turn_id = id;
  turn_environment env;
  env.session = self;
  env.reader = state.setup->reader;
  env.services = state.setup->services;
  env.summary = state.now;
  state.turn = self->spawn<caf::monitored>(turn, std::move(env),
                                           setup_of_turn(self, std::move(id), std::move(content)));
}

/// What becomes of a turn that is submitted while another is in flight.
enum class busy_choice : std::uint8_t { reject, queue, interrupt };

result_or<busy_choice> busy_choice_in(const json& body) {
  const auto it = body.is_object() ? body.find("when_busy") : body.end();
  if (it == body.end() || it->is_null() || *it == "reject")
    return busy_choice::reject;
  if (*it == "queue")
    return busy_choice::queue;
  if (*it == "interrupt")
    return busy_choice::interrupt;
  return tl::make_unexpected(
      user_error{"'when_busy' must be \"reject\", \"queue\" or \"interrupt\"."});
}

session_answer accepted_turn(const session_summary& summary, const std::string& turn_id) {
  return {session_status::accepted, {{"turn_id", turn_id}, {"session_id", summary.id}}};
}

/// Answers once the start of that turn is stored.
void answer_when_started(agent_session_pointer self, answer_promise promise,
                         const std::string& turn_id, session_answer answer) {
  self->state.submitted.push_back(
      {turn_id, [self, promise, turn_id, answer = std::move(answer)](bool stored) mutable {
         if (!stored) // the same request later is another try
           std::erase_if(self->state.now.submissions,
                         [&](const submitted_turn& known) { return known.turn_id == turn_id; });
         promise.deliver(stored ? std::move(answer) : trouble_answer(self->state.trouble));
       }});
}

void cancel_running(agent_session_pointer self, const std::string& reason);

/// Why a turn that is submitted now cannot even wait, or nothing.
std::optional<session_answer> busy_refusal(const agent_session_state& state, busy_choice choice) {
  const auto waiting = state.now.queue.size();
  if (choice == busy_choice::reject) {
    auto out = session_error(session_status::conflict, "turn_in_flight",
                             "Turn " + state.now.current_turn_id +
                                 " is in flight. Wait for its end, cancel it, or say "
                                 "\"when_busy\":\"queue\" or \"interrupt\".");
    out.body["error"]["turn_id"] = state.now.current_turn_id;
    return out;
  }
  if (waiting < state.setup->limit.session.turns_queued)
    return std::nullopt;
  return session_error(session_status::too_many, "queue_full",
                       std::to_string(waiting) + " turns wait in this session already. "
                                                 "Wait for the end "
                                                 "of one, or cancel one.");
}

/// Accepts a turn for later: as the last, or ahead of all that wait once the one in flight, which
/// is cancelled, has ended.
void enqueue(agent_session_pointer self, answer_promise promise, const std::string& id,
             json content, busy_choice choice) {
  auto& state = self->state;
  auto& queue = state.now.queue;
  const bool first = choice == busy_choice::interrupt;
  auto answer = accepted_turn(state.now, id);
  answer.body["queued"] = true;
  answer.body["behind_turn_id"] = state.now.current_turn_id;
  queued_turn waiting{id, std::move(content)};
  queue.insert(first ? queue.begin() : queue.end(), std::move(waiting));
  emit_of_turn(
      self, type::turn_queued, id,
      {{"behind_turn_id", state.now.current_turn_id}, {"position", first ? 1 : queue.size()}});
  if (first)
    cancel_running(self, "interrupted");
  answer_when_released(self, promise, std::move(answer));
}

/// The next turn that waits is started.
void start_queued(agent_session_pointer self) {
  auto& state = self->state;
  if (state.now.queue.empty() || state.closing || state.turn || !state.now.current_turn_id.empty())
    return;
  const auto next = state.now.queue.front(); // leaves when its start is told
  start_turn(self, next.turn_id, next.content);
}

std::string hash_of(const json& content) {
  return std::to_string(std::hash<std::string>{}(dumped(content)));
}

/// The turn that was submitted under this key before; null: none.
const submitted_turn* find_submission(const session_summary& summary, const std::string& key) {
  const auto& all = summary.submissions;
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const auto& known) { return known.key == key; });
  return key.empty() || it == all.end() ? nullptr : &*it;
}

/// Of a session as many keys are known again as `most`.
void keep_submission(session_summary& summary, const std::string& key, const json& content,
                     const std::string& turn_id, std::uint64_t most) {
  if (key.empty())
    return;
  auto& all = summary.submissions;
  if (all.size() >= most)
    all.erase(all.begin());
  all.push_back({key, hash_of(content), turn_id});
}

/// The same request again is answered as before, and begins nothing.
void answer_again(agent_session_pointer self, answer_promise promise, const submitted_turn& known,
                  const json& content) {
  auto& state = self->state;
  if (known.content_hash != hash_of(content)) {
    promise.deliver(session_error(session_status::conflict, "idempotency_key_reused",
                                  "This Idempotency-Key was sent before with another message; use "
                                  "a new one for a new turn."));
    return;
  }
  auto answer = accepted_turn(state.now, known.turn_id);
  const bool starting =
      std::any_of(state.submitted.begin(), state.submitted.end(),
                  [&](const auto& waiting) { return waiting.upto == known.turn_id; });
  if (starting)
    answer_when_started(self, promise, known.turn_id, std::move(answer));
  else
    answer_when_released(self, promise, std::move(answer));
}

/// What a turn is submitted with.
struct submission {
  busy_choice choice = busy_choice::reject;
  result_or<json> content; ///< content blocks of the user's message
};

result_or<submission> read_submission(const json& body, const std::string& key,
                                      const limits_of<session_room>& limit) {
  if (key.size() > limit.session.key_bytes)
    return tl::make_unexpected(user_error{"An Idempotency-Key has at most " +
                                          std::to_string(limit.session.key_bytes) +
                                          " characters."});
  auto choice = busy_choice_in(body);
  if (!choice)
    return tl::make_unexpected(std::move(choice.error()));
  return submission{*choice, turn_content(body)};
}

session_answer invalid_message(std::string sentence) {
  return session_error(session_status::bad_request, "invalid_message", std::move(sentence));
}

/// Why this begins no turn now, or nothing.
std::optional<session_answer> submission_refusal(const agent_session_state& state,
                                                 const result_or<submission>& given) {
  if (state.closing)
    return session_error(session_status::unavailable, "closing", "The session is ending.");
  if (!given)
    return invalid_message(given.error().message);
  if (!state.trouble.empty())
    return trouble_answer(state.trouble);
  if (!state.now.current_turn_id.empty())
    if (auto refusal = busy_refusal(state, given->choice))
      return refusal;
  if (!given->content)
    return invalid_message(given->content.error().message);
  return std::nullopt;
}

answer_promise submit(agent_session_pointer self, const json& body, const std::string& key) {
  auto& state = self->state;
  auto promise = self->make_response_promise<session_answer>();
  auto given = read_submission(body, key, state.setup->limit);
  if (const auto* known = find_submission(state.now, key); known && given && given->content) {
    answer_again(self, promise, *known, *given->content);
    return promise;
  }
  if (auto refusal = submission_refusal(state, given)) {
    promise.deliver(std::move(*refusal));
    return promise;
  }
  state.awake = true;
  const auto id = new_turn_id(self);
  auto& content = *given->content;
  keep_submission(state.now, key, content, id, state.setup->limit.session.keys_kept);
  if (!state.now.current_turn_id.empty()) {
    enqueue(self, promise, id, std::move(content), given->choice);
    return promise;
  }
  start_turn(self, id, std::move(content));
  answer_when_started(self, promise, id, accepted_turn(state.now, id));
  return promise;
}

/// The acceptance of a turn is told once its start is stored.
void note_started_turns(agent_session_pointer self, const std::vector<session_step>& steps) {
  auto& submitted = self->state.submitted;
  for (const auto& s : steps) {
    if (s.draft.type != type::turn_started)
      continue;
    while (!submitted.empty() && submitted.front().upto == s.draft.turn_id) {
      after_release(self, std::move(submitted.front().then));
      submitted.pop_front();
    }
  }
}

/// The turn in flight is to end.
void cancel_running(agent_session_pointer self, const std::string& reason) {
  auto& state = self->state;
  const auto& turn_id = state.now.current_turn_id;
  if (state.turn)
    self->send(state.turn, cancel_atom_v, reason);
  else if (std::exchange(state.asked_to_cancel, turn_id) != turn_id)
    emit_one(self, type::turn_cancel_requested,
             {{"reason", reason.empty() ? std::string{"user_cancel"} : reason}});
}

/// A turn that has not begun ends.
bool cancel_queued(agent_session_pointer self, const std::string& turn_id,
                   const std::string& reason) {
  auto& queue = self->state.now.queue;
  const auto it = std::find_if(queue.begin(), queue.end(),
                               [&](const auto& waiting) { return waiting.turn_id == turn_id; });
  if (it == queue.end())
    return false;
  queue.erase(it);
  emit_of_turn(self, type::turn_cancelled, turn_id,
               {{"reason", reason.empty() ? std::string{"user_cancel"} : reason}});
  return true;
}

bool cancel(agent_session_pointer self, const std::string& turn_id, const std::string& reason) {
  const auto& current = self->state.now.current_turn_id;
  if (turn_id.empty() || turn_id != current)
    return cancel_queued(self, turn_id, reason);
  cancel_running(self, reason);
  return true;
}

using permit_promise = caf::typed_response_promise<bool>;

/// Answers true as soon as one of those that were asked has waited, false when none has.
struct permit_answers {
  permit_promise promise;
  std::size_t open = 0;

  void take(bool waited) {
    --open;
    if (promise.pending() && (waited || open == 0))
      promise.deliver(waited);
  }
};

/// A request is known by the turn that waits for it: of this session, or of one of its workers.
permit_promise permit(agent_session_pointer self, const std::string& request_id,
                      permission_decision decision) {
  const auto& state = self->state;
  auto answers = std::make_shared<permit_answers>();
  answers->promise = self->make_response_promise<bool>();
  answers->open = 1;
  const auto ask = [&](const auto& actor) {
    ++answers->open;
    self->request(actor, caf::infinite, permit_atom_v, request_id, decision)
        .then([answers](bool waited) { answers->take(waited); },
              [answers](const caf::error&) { answers->take(false); });
  };
  if (state.turn)
    ask(state.turn);
  for (const auto& [id, worker] : state.members)
    ask(caf::actor_cast<agent_session_actor>(worker.session));
  auto promise = answers->promise;
  answers->take(false);
  return promise;
}

void handle_turn_down(agent_session_pointer self) {
  auto& state = self->state;
  state.turn = turn_actor{};
  if (!state.now.current_turn_id.empty())
    emit_one(self, type::turn_cancelled, {{"reason", "internal_error"}});
  for (auto& waiting : std::exchange(state.submitted, {}))
    waiting.then(false);
  if (state.closing)
    finish_closing(self);
  else
    start_queued(self);
}

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

// ---- what others tell ----

/// Results of tools are masked, whoever ran them; the texts of users and models are kept.
void mask_tool_answer(const session_services& services, event_draft& draft) {
  if (!services.masked || (draft.type != type::tool_completed && draft.type != type::tool_failed))
    return;
  for (const char* member : {"result", "message"})
    if (const auto answer = draft.payload.find(member); answer != draft.payload.end())
      *answer = services.masked(*answer);
}

answer_promise take_external(agent_session_pointer self, const json& body) {
  auto& state = self->state;
  auto promise = self->make_response_promise<session_answer>();
  if (state.turn) {
    promise.deliver(session_error(session_status::conflict, "turn_in_flight",
                                  "A turn of the engine itself is in flight in this session."));
    return promise;
  }
  if (!state.trouble.empty()) {
    promise.deliver(trouble_answer(state.trouble));
    return promise;
  }
  auto taken = state.external.read(body);
  if (!taken) {
    promise.deliver(
        session_error(session_status::bad_request, "invalid_event", taken.error().message));
    return promise;
  }
  state.awake = true;
  auto steps = std::make_shared<std::vector<session_step>>();
  for (auto& one : *taken) {
    session_step s;
    s.draft = std::move(one.draft);
    mask_tool_answer(*state.setup->services, s.draft);
    s.message = std::move(one.message);
    s.tool = std::move(one.tool);
    if (s.tool)
      s.tool->session_id = state.now.id;
    steps->push_back(std::move(s));
  }
  const auto count = body.contains("events") ? body["events"].size() : 1;
  emit(self, std::move(steps));
  answer_when_released(self, promise, {session_status::accepted, {{"accepted", count}}});
  start_queued(self);
  return promise;
}

void record_feedback(agent_session_pointer self, answer_promise promise,
                     const std::string& message_id, const json& body) {
  json payload{{"message_id", message_id},
               {"rating", body.value("rating", json(nullptr))},
               {"comment", body.value("comment", json(nullptr))}};
  if (auto fault = payload_fault(type::feedback_recorded, payload)) {
    promise.deliver(session_error(session_status::bad_request, "invalid_feedback", *fault + "."));
    return;
  }
  session_step s;
  s.draft.type = type::feedback_recorded;
  s.draft.actor = "user";
  s.draft.payload = std::move(payload);
  emit(self, std::make_shared<std::vector<session_step>>(1, std::move(s)));
  answer_when_released(self, promise,
                       {session_status::created, {{"message_id", message_id}, {"recorded", true}}});
}

answer_promise feedback(agent_session_pointer self, const std::string& message_id,
                        const json_document& body) {
  auto promise = self->make_response_promise<session_answer>();
  if (!body->is_object() || (!body->contains("rating") && !body->contains("comment"))) {
    promise.deliver(session_error(session_status::bad_request, "invalid_feedback",
                                  "Send an object with rating (a string or a number), comment (a "
                                  "string), or both."));
    return promise;
  }
  message_query query;
  query.session_id = self->state.now.id;
  query.id = message_id;
  self->request(self->state.setup->reader, caf::infinite, messages_atom_v, query)
      .then(
          [self, promise, message_id, body](const message_list& found) mutable {
            if (found.empty())
              promise.deliver(session_error(session_status::not_found, "message_not_found",
                                            "This session has no message " + message_id + "."));
            else
              record_feedback(self, promise, message_id, *body);
          },
          [promise](caf::error& e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

void take_alert(agent_session_pointer self, const alert& a) {
  auto& state = self->state;
  if (a.update || !state.awake || state.closing ||
      !alert_concerns(a, {state.now.page_url, state.now.workspace_path}))
    return;
  state.unseen.push_back(alert_line(a));
  if (state.unseen.size() > state.setup->limit.session.alerts_unseen)
    state.unseen.pop_front();
  emit_one(self, type::alert_raised, alert_payload(a));
}

std::vector<std::string> take_unseen(agent_session_pointer self) {
  auto& unseen = self->state.unseen;
  std::vector<std::string> lines{std::make_move_iterator(unseen.begin()),
                                 std::make_move_iterator(unseen.end())};
  unseen.clear();
  return lines;
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

void finish_closing(agent_session_pointer self) {
  after_release(self, [self](bool) {
    for (const auto& s : self->state.subscribers)
      self->send(s.client, closed_atom_v, self->state.deleted);
    // Clients that follow nothing yet learn it from this.
    self->quit(self->state.deleted ? caf::exit_reason::normal : caf::exit_reason::user_shutdown);
  });
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
  state.external = external_events{setup.limit, [self] {
                                     auto& s = self->state;
                                     return s.ids->next(id_kind::message, wall_now(self));
                                   }};
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

agent_session_actor::behavior_type agent_session(agent_session_pointer self,
                                                 agent_session_setup setup) {
  guard_exceptions(self);
  self->set_down_handler([self](const caf::down_msg& down) { handle_down(self, down.source); });
  begin(self, std::move(setup));
  return {
      [self](submit_atom, const json_document& body, const std::string& key) {
        return submit(self, *body, key);
      },
      [self](cancel_atom, const std::string& turn_id, const std::string& reason) {
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
      [self](emit_atom, const session_steps& steps, const std::string&) { order(self, *steps); },
      [self](join_atom, std::string& id, std::string& parent_id, const released_sink& session) {
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
      [self](feedback_atom, const std::string& message_id, const json_document& body) {
        return feedback(self, message_id, body);
      },
      [self](alert_atom, const alert_ptr& a) { take_alert(self, *a); },
      [self](unseen_atom) { return take_unseen(self); },
      [self](closed_atom, bool deleted) { close(self, deleted); },
  };
}

} // namespace gasoline
