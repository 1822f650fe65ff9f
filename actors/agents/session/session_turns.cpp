#include "actors/agents/session/session_turns.hpp"

#include "actors/agents/turn/turn.hpp"
#include "actors/agents/turn/turn_request.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace gasoline::session_parts {
namespace {

using nlohmann::json;
using type = session_event_type;

const std::string interrupted = "interrupted";

agent_turn_id new_turn_id(agent_session_pointer self) {
  auto& state = self->state;
  ulid_source ids{state.setup->services->random};
  ids.raise_floor(state.position->head());
  if (!state.now.queue.empty())
    ids.raise_floor(state.now.queue.back().turn_id);
  return agent_turn_id::next(ids, wall_now(self));
}

turn_setup setup_of_turn(agent_session_pointer self, agent_turn_id id, json content) {
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
  setup.answers = services.answers;
  setup.price = services.price_of(state.now.active_model);
  setup.wall_now = [self] { return wall_now(self); };
  setup.make_id = [ids, now = setup.wall_now](id_kind kind) { return ids->next(kind, now()); };
  return setup;
}

void start_turn(agent_session_pointer self, agent_turn_id id, json content) {
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

session_answer accepted_turn(const session_summary& summary, const agent_turn_id& turn_id) {
  return {session_status::accepted, {{"turn_id", turn_id}, {"session_id", summary.id}}};
}

/// Answers once the start of that turn is stored.
void answer_when_started(agent_session_pointer self, answer_promise promise,
                         const agent_turn_id& turn_id, session_answer answer) {
  self->state.submitted.push_back(
      {turn_id, [self, promise, turn_id, answer = std::move(answer)](bool stored) mutable {
         if (!stored) // the same request later is another try
           std::erase_if(self->state.now.submissions,
                         [&](const submitted_turn& known) { return known.turn_id == turn_id; });
         promise.deliver(stored ? std::move(answer) : trouble_answer(self->state.trouble));
       }});
}

/// Why a turn that is submitted now cannot even wait, or nothing.
std::optional<session_answer> busy_refusal(const agent_session_state& state, busy_choice choice) {
  const auto waiting = state.now.queue.size();
  if (choice == busy_choice::reject) {
    auto out = session_error(session_status::conflict, "turn_in_flight",
                             "Turn " + state.now.current_turn_id.text() +
                                 " is in flight. Wait for its end, cancel it, or say "
                                 "\"when_busy\":\"queue\" or \"interrupt\".");
    out.body["error"]["turn_id"] = state.now.current_turn_id;
    return out;
  }
  // One that interrupts does not wait for its turn, and takes the place of the last that did so.
  if (choice == busy_choice::interrupt || waiting < state.setup->limit.session.turns_queued)
    return std::nullopt;
  return session_error(session_status::too_many, "queue_full",
                       std::to_string(waiting) + " turns wait in this session already. "
                                                 "Wait for the end "
                                                 "of one, or cancel one.");
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

/// The turn in flight ends for one that interrupts; one that waits for just that gives way, as it
/// would had it begun already.
void make_way(agent_session_pointer self, const agent_turn_id& turn_id) {
  auto& state = self->state;
  const auto before = std::exchange(state.interrupting, turn_id);
  const bool asked_before =
      before != state.now.current_turn_id && cancel_queued(self, before, interrupted);
  if (!asked_before)
    cancel_running(self, interrupted);
}

/// Accepts a turn for later: as the last, or ahead of all that wait once the one in flight, which
/// is cancelled, has ended.
void enqueue(agent_session_pointer self, answer_promise promise, const agent_turn_id& id,
             json content, busy_choice choice) {
  auto& state = self->state;
  auto& queue = state.now.queue;
  const bool first = choice == busy_choice::interrupt;
  if (first)
    make_way(self, id);
  auto answer = accepted_turn(state.now, id);
  answer.body["queued"] = true;
  answer.body["behind_turn_id"] = state.now.current_turn_id;
  queue.insert(first ? queue.begin() : queue.end(), make_queued_turn(id, std::move(content)));
  emit_of_turn(
      self, type::turn_queued, id,
      {{"behind_turn_id", state.now.current_turn_id}, {"position", first ? 1 : queue.size()}});
  answer_when_released(self, promise, std::move(answer));
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
                     const agent_turn_id& turn_id, std::uint64_t most) {
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
                  [&](const auto& waiting) { return waiting.turn_id == known.turn_id; });
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

session_answer message_too_long(std::uint64_t most) {
  return session_error(session_status::too_large, "message_too_long",
                       "A message has at most " + std::to_string(most) +
                           " bytes (limits.session_message_bytes); shorten it.");
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
  const auto most = state.setup->limit.session.message_bytes;
  if (content_bytes(*given->content) > most)
    return message_too_long(most);
  return std::nullopt;
}

/// Why there is no room for a turn of that content to wait, or nothing: then it has its room.
std::optional<session_answer> room_refusal(agent_session_state& state, const json& content) {
  auto& share = state.waiting_share;
  if (share.hold(waiting_bytes(state.now.queue) + content_bytes(content)))
    return std::nullopt;
  return session_error(session_status::unavailable, "turns_too_large",
                       "The turns that wait, and the conversations of those under way, have "
                       "reached " +
                           std::to_string(share.most()) +
                           " bytes in all sessions together (limits.session_turns_bytes); send "
                           "this again when others have ended.");
}

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

} // namespace

void start_queued(agent_session_pointer self) {
  auto& state = self->state;
  if (state.now.queue.empty() || state.closing || state.turn || !state.now.current_turn_id.empty())
    return;
  const auto next = state.now.queue.front(); // leaves when its start is told
  start_turn(self, next.turn_id, *next.content);
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
  auto& content = *given->content;
  const bool waits = !state.now.current_turn_id.empty();
  if (auto refusal = waits ? room_refusal(state, content) : std::nullopt) {
    promise.deliver(std::move(*refusal));
    return promise;
  }
  state.awake = true;
  const auto id = new_turn_id(self);
  keep_submission(state.now, key, content, id, state.setup->limit.session.keys_kept);
  if (waits) {
    enqueue(self, promise, id, std::move(content), given->choice);
    return promise;
  }
  start_turn(self, id, std::move(content));
  answer_when_started(self, promise, id, accepted_turn(state.now, id));
  return promise;
}

void note_started_turns(agent_session_pointer self, const std::vector<session_step>& steps) {
  auto& submitted = self->state.submitted;
  for (const auto& s : steps) {
    if (s.draft.type != type::turn_started)
      continue;
    while (!submitted.empty() && submitted.front().turn_id == s.draft.turn_id) {
      after_release(self, std::move(submitted.front().then));
      submitted.pop_front();
    }
  }
}

bool cancel_queued(agent_session_pointer self, const agent_turn_id& turn_id,
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

bool cancel(agent_session_pointer self, const agent_turn_id& turn_id, const std::string& reason) {
  const auto& current = self->state.now.current_turn_id;
  if (turn_id.empty() || turn_id != current)
    return cancel_queued(self, turn_id, reason);
  cancel_running(self, reason);
  return true;
}

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

} // namespace gasoline::session_parts
