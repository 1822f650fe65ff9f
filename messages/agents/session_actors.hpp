#pragma once

#include "config/settings.hpp"
#include "messages/actors.hpp"
#include "messages/agents/model_call.hpp"
#include "messages/agents/session_atoms.hpp"
#include "messages/agents/session_event.hpp"
#include "messages/agents/session_filter.hpp"
#include "messages/agents/session_message.hpp"
#include "messages/base/byte_budget.hpp"
#include "messages/base/identity/typed_id.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// What an HTTP route of `/sessions` answers; the body is a JSON document.
enum class session_status : std::uint8_t {
  ok,           ///< 200
  created,      ///< 201
  accepted,     ///< 202
  no_content,   ///< 204
  bad_request,  ///< 400
  unauthorized, ///< 401: the token of the token file is needed
  not_found,    ///< 404
  conflict,     ///< 409
  too_large,    ///< 413
  too_many,     ///< 429: again in a minute
  unavailable   ///< 503
};

struct session_answer {
  session_status status = session_status::ok;
  nlohmann::json body; ///< errors: `{"error":{"code","message"}}`
};

/// An error answer.
session_answer session_error(session_status status, std::string_view code, std::string message);

/// What is written in one transaction. An event is in it when its type is persisted.
struct trace_record {
  std::uint64_t number = 0; ///< rising per writer; acknowledged by `stored_atom`
  session_event_ptr event;  ///< may be null or transient: then only the rest is stored
  session_message_ptr message;
  std::shared_ptr<const tool_call_record> tool;
  std::shared_ptr<const session_summary> summary; ///< creates or updates the session
};

using trace_records = std::shared_ptr<const std::vector<trace_record>>;

/// A range of events of a session, or of it and all of its workers.
struct event_range {
  agent_session_id session_id;
  bool with_workers = false;
  std::string after; ///< exclusive; empty: from the first
  std::string upto;  ///< inclusive
};

/// Events of a range in order, and the transient `message.start` and `message.complete` of messages
/// that were completed in it, with their own ids: what a client needs that missed the deltas.
struct event_page {
  session_events events;
  bool last = true; ///< nothing follows within the range
};

/// A stored session.
struct session_record {
  session_summary summary;
  std::string head; ///< its newest stored event or message id; empty: none
};

/// What the store holds at start.
struct trace_contents {
  std::vector<session_record> sessions; ///< oldest first
  std::string head;                     ///< the greatest id ever stored; empty: none
};

/// Messages of a session, oldest first.
using message_list = std::vector<session_message_ptr>;

/// Which messages are wanted: the newest `limit` before one.
struct message_query {
  agent_session_id session_id;
  agent_message_id id;      ///< exactly this message; empty: a range
  agent_message_id before;  ///< exclusive; empty: from the newest
  std::string upto_event;   ///< only messages known by then; empty: all
  std::uint64_t limit = 50; ///< 0: all
};

/// How much of a range a client would get, and whether the range is still whole.
struct range_count {
  std::uint64_t matching = 0; ///< counted up to one above the cap
  std::string pruned_through; ///< the greatest id that retention has removed; empty: none
};

/// Where in its stream a session attached a client. Every event up to
/// `head` is stored or in `open`; every later one goes to the client as `deliver_atom`.
struct attach_point {
  session_summary summary; ///< as of `snapshot`
  std::string head;        ///< newest event; empty: none yet
  std::string snapshot;    ///< newest event before the first message that is still being written
  session_events open;     ///< transient events of such messages, up to `head`
};

/// One thing that happens in a session: an event, and what is stored in the same transaction.
struct session_step {
  event_draft draft;
  std::shared_ptr<session_message> message; ///< may be null; the session adds the event ids
  std::shared_ptr<tool_call_record> tool;   ///< may be null
  // Filled in by the session:
  agent_session_id session_id;
  agent_session_id parent_id;
  std::shared_ptr<const session_summary> summary; ///< null: unchanged
};

using session_steps = std::shared_ptr<std::vector<session_step>>;

/// A step that may be shown: it is stored, and so is everything before it.
struct released_step {
  session_event_ptr event;
  std::shared_ptr<const session_summary> summary; ///< of the event's session; null: unchanged
};

using released_steps = std::shared_ptr<const std::vector<released_step>>;

/// What becomes of a tool call that a person was asked about.
enum class permission_decision : std::uint8_t { allow_once, allow_session, deny };

template <>
struct enum_table<permission_decision> {
  static constexpr std::array<std::pair<permission_decision, std::string_view>, 3> rows{{
      {permission_decision::allow_once, "allow_once"},
      {permission_decision::allow_session, "allow_session"},
      {permission_decision::deny, "deny"},
  }};
};

/// What the owner's rules say of a tool call.
struct permission_verdict {
  permission_choice choice = permission_choice::allow;
  std::string reason; ///< a sentence for whoever is asked, or for the model that is refused
};

/// A worker session to be made for a delegation.
struct worker_spec {
  agent_session_id parent_id;
  std::string model; ///< `PROVIDER:MODEL`; empty: the parent's
  std::string system_prompt;
  std::optional<std::vector<std::string>> tools; ///< those of the parent at most; empty: the same
  std::string script;                            ///< of the `scripted` provider; empty: none
};

/// The socket of one client, as its actor sees it. Calls return at once. Lives on the io thread.
class frame_port {
 public:
  virtual ~frame_port() = default;

  /// Writes these frames in order, in as few writes as it can. Answers how many the socket has
  /// taken at once, so that who reads costs no message; `sent_atom` with the number of others goes
  /// to the client's actor when it has taken them. Called again only after all were taken.
  virtual std::uint64_t send(std::vector<frame_text> frames, frame_pace pace) = 0;

  /// Writes a close frame and ends the connection; what was given before is dropped if the peer
  /// does not read.
  virtual void close(std::uint16_t code, std::string reason) = 0;
};

using frame_port_ptr = std::shared_ptr<frame_port>;

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::agent_session_id)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::agent_turn_id)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::agent_message_id)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::session_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::trace_records)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::event_range)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::event_page)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::trace_contents)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::message_query)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::attach_point)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::frame_port_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::event_draft)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::session_filter)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::permission_decision)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::range_count)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::session_steps)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::released_steps)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::worker_spec)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::message_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::session_event_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::session_events)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::session_message_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::session_summary)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::model_call_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::provider_chunks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::tool_request_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::tool_outcome)

namespace gasoline {

// The typed interfaces of agent sessions. Messages marked INTERNAL are sent by
// an actor to itself.

/// One model call: spawned running, tells its turn `chunk_atom`, ends after the last chunk.
using provider_actor = caf::typed_actor<
    // Drops the connection; nothing is told afterwards, the actor ends.
    caf::reacts_to<cancel_atom>>;

/// One running tool: spawned running, tells its turn `outcome_atom` exactly once, then ends.
using tool_run_actor = caf::typed_actor<
    // Stops the tool (SIGTERM, then SIGKILL); the outcome's `error_class` is `cancelled`.
    caf::reacts_to<cancel_atom>>;

/// One turn: calls the model, runs its tools, and again, until the model stops.
using turn_actor = caf::typed_actor<
    // The model's answer goes on.
    caf::reacts_to<chunk_atom, provider_chunks>,
    // A tool has ended.
    caf::reacts_to<outcome_atom, tool_outcome>,
    // A running tool reports something of its own, such as `delegate.started`.
    caf::reacts_to<emit_atom, event_draft>,
    // A person has decided about the request with that id; answers whether it waits for that.
    caf::replies_to<permit_atom, std::string, permission_decision>::with<bool>,
    // Cancels the turn. A second time is told as `bus.handler_warning` and changes nothing.
    caf::reacts_to<cancel_atom, std::string>>;

/// Whoever follows a session.
using session_follower = caf::typed_actor<
    // Events of the session, all of which match the filter.
    caf::reacts_to<deliver_atom, session_events>,
    // The session has ended: deleted (true) or the engine ends (false).
    caf::reacts_to<closed_atom, bool>>;

/// A worker session, as the first session of its tree sees it.
using released_sink = caf::typed_actor<
    // These steps of it and of its own workers are released.
    caf::reacts_to<deliver_atom, released_steps>,
    // What was emitted cannot be stored for now, for that reason.
    caf::reacts_to<failed_atom, std::string>>;

/// One session: numbers what happens, has it stored, then shows it, in order.
using agent_session_actor = caf::typed_actor<
    // Starts a turn with the body of `POST /sessions/{id}/turns` and its `Idempotency-Key` (empty:
    // none).
    caf::replies_to<submit_atom, json_document, std::string>::with<session_answer>,
    // Cancels the turn for that reason; answers false, and does nothing, when it is neither in
    // flight nor queued.
    caf::replies_to<cancel_atom, agent_turn_id, std::string>::with<bool>,
    // A person has decided about the permission request with that id; answers whether it waits for
    // that.
    caf::replies_to<permit_atom, std::string, permission_decision>::with<bool>,
    // From now on sends this actor (deliver_atom, session_events) with what matches the filter.
    // Its name is shown in `bus.` events.
    caf::replies_to<follow_atom, session_follower, session_filter, std::string>::with<attach_point>,
    // The sender takes no more events, for that reason, after that many were delivered.
    caf::reacts_to<leave_atom, std::string, std::uint64_t>,
    // Something has happened in this session.
    caf::reacts_to<emit_atom, session_steps>,
    // Answers true once everything emitted so far has been released, false when it cannot be
    // stored.
    caf::replies_to<flush_atom>::with<bool>,
    // To the first of a tree of sessions: something has happened in one of its workers.
    caf::reacts_to<emit_atom, session_steps, agent_session_id>,
    // To the first of a tree: this worker session, a child of that one, belongs to it.
    caf::reacts_to<join_atom, agent_session_id, agent_session_id, released_sink>,
    // To a worker session: see `released_sink`.
    caf::reacts_to<deliver_atom, released_steps>,
    // From the store, or to a worker session from the first of its tree: what was emitted cannot be
    // stored for now, for that reason.
    caf::reacts_to<failed_atom, std::string>,
    // From the store: everything up to that number is stored.
    caf::reacts_to<stored_atom, std::uint64_t>,
    // Answers what the session is.
    caf::replies_to<status_atom>::with<session_summary>,
    // Takes events of an agent that runs elsewhere (`POST /sessions/{id}/events`).
    caf::replies_to<external_atom, json_document>::with<session_answer>,
    // Records feedback on that message.
    caf::replies_to<feedback_atom, agent_message_id, json_document>::with<session_answer>,
    // An alert was raised.
    caf::reacts_to<alert_atom, alert_ptr>,
    // Answers one line for each alert that the model has not seen, and counts them as seen.
    caf::replies_to<unseen_atom>::with<std::vector<std::string>>,
    // Ends the turn and the clients: the session was deleted (true) or the engine ends (false).
    caf::reacts_to<closed_atom, bool>>;

/// One attached client: its subscription, its bounded queue, its heartbeats.
using watcher_actor = session_follower::extend<
    // One text frame from the client.
    caf::reacts_to<receive_atom, std::string>,
    // The socket has taken that many frames.
    caf::reacts_to<sent_atom, std::uint64_t>,
    // The connection is gone.
    caf::reacts_to<closed_atom>>;

/// The trace on disk, written by this actor alone; detached in live engines.
using trace_store_actor = health_source::extend<
    // Answers what is stored, after turns that were in flight have been closed.
    caf::replies_to<load_atom>::with<trace_contents>,
    // Stores the records with whatever else has arrived, in one transaction; then sends the sender
    // (stored_atom, number of the last). While that cannot be done it is sent (failed_atom, why).
    caf::reacts_to<write_atom, trace_records>,
    // Stores a new session at once; answers true.
    caf::replies_to<create_atom, session_summary>::with<bool>,
    // Deletes a session and its workers with everything in them.
    caf::replies_to<remove_atom, agent_session_id>::with<bool>,
    // INTERNAL: commits.
    caf::reacts_to<flush_atom>,
    // INTERNAL: retention by age.
    caf::reacts_to<tick_atom>>;

/// Reads of the same file, on a connection of its own, so that replays do not hold up writes.
using trace_reader_actor = caf::typed_actor<
    // The first `limit` matching events of a range; the session of the range is the client's.
    caf::replies_to<replay_atom, event_range, session_filter, std::uint64_t>::with<event_page>,
    // Counts the matching events of a range, up to one above the cap.
    caf::replies_to<counts_atom, event_range, session_filter, std::uint64_t>::with<range_count>,
    // Finished messages.
    caf::replies_to<messages_atom, message_query>::with<message_list>>;

/// What `GET /sessions/{id}` is asked with.
struct attach_request {
  std::string base;  ///< of the WebSocket's address: `ws://127.0.0.1:7890`
  std::string asker; ///< as far as that is known; tokens that are not used count against it alone
  bool trusted = false; ///< it has shown the token of the token file
};

/// Who asks for a session.
using session_caller = asking_party;

/// What opening a stream answers.
struct session_opening {
  watcher_actor client; ///< null: refused
  session_answer refusal;
};

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::session_opening)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::attach_request)

namespace gasoline {

/// All sessions: the routes of `/sessions` and the attach tokens. Bodies are parsed JSON.
using session_registry_actor = health_source::extend<
    // `POST /sessions`. The answer holds the session's key, which is told this once.
    caf::replies_to<create_atom, json_document, session_caller>::with<session_answer>,
    // Whether the caller may use that session. Answers 401 where it is somebody else's, or reaches
    // files or costs money and he has neither the token nor its key; 200 for all others, unknown
    // ones too.
    caf::replies_to<open_atom, agent_session_id, session_caller>::with<session_answer>,
    // `GET /sessions?before=&limit=`: those that the caller may use, the newest first; before may
    // be empty, limit 0 is the default.
    caf::replies_to<list_atom, session_caller, agent_session_id,
                    std::uint64_t>::with<session_answer>,
    // `GET /sessions/{id}`: session, single-use token, and `ws_url` below the base that is given.
    caf::replies_to<attach_atom, agent_session_id, attach_request>::with<session_answer>,
    // `GET /sessions/{id}/messages?before=&limit=`; before may be empty, limit 0 is the default.
    caf::replies_to<messages_atom, agent_session_id, agent_message_id,
                    std::uint64_t>::with<session_answer>,
    // `POST /sessions/{id}/turns`; the last is the `Idempotency-Key`, empty: none.
    caf::replies_to<submit_atom, agent_session_id, json_document,
                    std::string>::with<session_answer>,
    // `POST /sessions/{id}/turns/{turn}/cancel`; the last is the reason.
    caf::replies_to<cancel_atom, agent_session_id, agent_turn_id,
                    std::string>::with<session_answer>,
    // `POST /sessions/{id}/permissions/{request}`; true: the caller has shown the token.
    caf::replies_to<permit_atom, agent_session_id, std::string, json_document,
                    bool>::with<session_answer>,
    // `POST /sessions/{id}/messages/{message}/feedback`.
    caf::replies_to<feedback_atom, agent_session_id, agent_message_id,
                    json_document>::with<session_answer>,
    // `POST /sessions/{id}/events`.
    caf::replies_to<external_atom, agent_session_id, json_document>::with<session_answer>,
    // `DELETE /sessions/{id}`.
    caf::replies_to<remove_atom, agent_session_id>::with<session_answer>,
    // `/sessions/{id}/stream?attach=TOKEN`: redeems the token; asked before the upgrade is
    // answered. The client's actor writes to the port only after it was sent a frame.
    caf::replies_to<open_atom, agent_session_id, std::string,
                    frame_port_ptr>::with<session_opening>,
    // `GET /sessions/{id}/events`: a client that only listens, subscribed with that frame.
    caf::replies_to<follow_atom, agent_session_id, json_document,
                    frame_port_ptr>::with<session_opening>,
    // Makes a worker session.
    caf::replies_to<spawn_atom, worker_spec>::with<agent_session_actor>,
    // An alert was raised.
    caf::reacts_to<alert_atom, alert_ptr>,
    // INTERNAL: the time for ending in order is over.
    caf::reacts_to<tick_atom>>;

/// What sessions need from the rest of the program: made once by whoever spawns the registry.
/// Called inside actors; must not block.
struct session_services {
  /// Why there is no such provider or model, as a sentence; nothing: there is.
  std::function<std::optional<std::string>(std::string_view provider, std::string_view model)>
      model_fault;

  /// Starts a model call. `provider` has passed `model_fault`.
  std::function<provider_actor(std::string_view provider, const model_call_ptr&, const turn_actor&)>
      start_model;

  /// Why a session may not have these tools; `trusted`: the caller has shown the token.
  std::function<std::optional<session_answer>(const std::vector<std::string>& tools, bool trusted)>
      tool_fault;

  /// Whether calls of that provider are made with a key of the owner's, which he pays for. Empty:
  /// none is.
  std::function<bool(std::string_view provider)> costs;

  /// What the model is told of these tools.
  std::function<std::vector<model_tool>(const std::vector<std::string>& tools)> tools_of;

  /// Runs a tool for the session's turn. An unknown name gives an outcome of class `unknown_tool`.
  std::function<tool_run_actor(const tool_request_ptr&, const session_summary&, const turn_actor&)>
      start_tool;

  /// What the owner's rules say of this call in this session.
  std::function<permission_verdict(const tool_request&, const session_summary&)> permission_of;

  /// What that model (`PROVIDER:MODEL`) costs; nothing: that is not known here.
  std::function<std::optional<model_price>(std::string_view model)> price_of;

  /// A session has ended: what was kept for it is given up.
  std::function<void(const agent_session_id&)> session_ended;

  /// The script of a `scripted` session as JSON text, from `script` (a document) or `script_path`.
  std::function<result_or<std::string>(const nlohmann::json& create_body)> script_of;

  /// What a tool that ran elsewhere has answered, a text or a document, without a secret in it;
  /// null: it is kept as it is.
  std::function<nlohmann::json(const nlohmann::json& answer)> masked;

  /// What all sessions may hold of answers that are being written; null: there is no bound.
  std::shared_ptr<byte_budget> answers;

  /// What they may hold of turns that wait, and of the conversations that turns go on with; null:
  /// there is no bound.
  std::shared_ptr<byte_budget> turns;

  wall_clock clock;
  random_source random;
};

} // namespace gasoline
