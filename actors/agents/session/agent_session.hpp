#pragma once

#include "actors/agents/session/external_events.hpp"
#include "actors/agents/session/feed_position.hpp"
#include "actors/agents/session/release_queue.hpp"
#include "messages/agents/session_actors.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {

/// What a session is made of.
struct agent_session_setup {
  session_summary summary;
  std::string head;         ///< its newest stored event; empty: none
  std::string floor;        ///< ids made from now on are greater; empty: no floor
  bool stored = false;      ///< false: a new session, which the store has not seen
  agent_session_actor root; ///< the first session of its tree; null: this one
  trace_store_actor store;
  trace_reader_actor reader;
  std::shared_ptr<const session_services> services;
  limits_of<ingest_room, session_room> limit;
};

struct agent_session_state {
  static inline const char* name = "agent_session";

  /// A client that gets the events that match.
  struct subscriber {
    session_follower client;
    session_filter filter;
    std::string name;
  };

  /// A worker session of this tree; kept by the root.
  struct member {
    agent_session_id parent_id;
    released_sink session;
  };

  /// Who waits until a step has been released, or cannot be stored.
  struct waiter {
    std::string upto; ///< id of an event
    std::function<void(bool stored)> then;
  };

  /// Who waits until the start of a turn is told.
  struct submission {
    agent_turn_id turn_id;
    std::function<void(bool stored)> then;
  };

  std::optional<agent_session_setup> setup;
  session_summary now;                          ///< after everything that was emitted
  std::shared_ptr<const session_summary> shown; ///< after everything that was released
  std::optional<feed_position> position;
  std::vector<subscriber> subscribers;
  turn_actor turn;                  ///< null: none is running here
  std::deque<submission> submitted; ///< turns whose start has not been told yet
  external_events external;
  budget_share waiting_share;     ///< of what waiting turns may hold
  agent_turn_id interrupting;     ///< turn that was put ahead of all that wait
  agent_turn_id asked_to_cancel;  ///< external turn that was asked to end
  std::string trouble;            ///< why nothing can be stored for now; empty: all is well
  std::deque<std::string> unseen; ///< lines of alerts
  bool awake = false;             ///< used since the engine started; only then alerts join in
  bool closing = false;
  bool deleted = false;
  // Of the root of a tree:
  std::optional<ulid_source> ids;
  release_queue queue;
  std::map<agent_session_id, member> members;
  std::map<agent_message_id, std::string> message_starts; ///< its `message.start`
  std::string last_id;                                    ///< of the newest event that has an id
  std::deque<waiter> waiters;
};

/// One agent session: whatever happens is numbered, stored, and only
/// then shown to its clients, in order. A worker session has the first session of its tree number
/// and store its events, so that ids order the whole tree and a client can follow all of it.
agent_session_actor::behavior_type
agent_session(agent_session_actor::stateful_pointer<agent_session_state> self,
              agent_session_setup setup);

} // namespace gasoline
