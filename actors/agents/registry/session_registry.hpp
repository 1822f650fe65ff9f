#pragma once

#include "actors/agents/registry/attach_tokens.hpp"
#include "actors/agents/registry/session_owner.hpp"
#include "messages/agents/session_actors.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gasoline {

/// What the sessions of an engine are made of.
struct session_registry_setup {
  std::filesystem::path trace_file; ///< `trace.db` in the state directory
  std::shared_ptr<const session_services> services;
  limits_of<ingest_room, session_room> limit;
  bool detached = true; ///< store and reader get threads of their own; tests need none
};

struct session_registry_state {
  static inline const char* name = "session_registry";

  struct entry {
    agent_session_actor session;
    agent_session_id parent_id;
    agent_session_id root_id;
    std::uint64_t depth = 0;        ///< 0: no worker
    std::vector<std::string> tools; ///< as the session was given them
    std::string provider;           ///< of its model
    session_owner owner;
    std::uint64_t text_bytes = 0; ///< as `session_text_bytes` counts them
    std::uint64_t workers = 0;    ///< its own, without theirs
    bool ending = false;          ///< once its workers have ended
    bool told = false;            ///< that it is to end
  };

  /// A deletion that waits until the sessions have ended.
  struct removal {
    agent_session_id session_id;
    caf::typed_response_promise<session_answer> promise;
  };

  std::optional<session_registry_setup> setup;
  trace_store_actor store;
  trace_reader_actor reader;
  std::optional<ulid_source> ids;
  std::optional<attach_tokens> tokens;
  std::map<agent_session_id, entry> sessions;
  std::unordered_map<caf::actor_id, agent_session_id> actors;
  std::vector<removal> removals;
  std::string problem; ///< why there are no sessions; empty: all is well
  std::string floor;   ///< the greatest id that the store knew at start
  std::uint64_t clients_opened = 0;
  bool ending = false;
  bool store_ended = false;
  bool reader_ended = false;
};

/// All agent sessions of an engine: makes them, finds them,
/// gives out attach tokens, deletes them; owns the trace store and its reader. On exit it ends the
/// turns, then the sessions, workers first, then the store.
session_registry_actor::behavior_type
session_registry(session_registry_actor::stateful_pointer<session_registry_state> self,
                 session_registry_setup setup);

} // namespace gasoline
