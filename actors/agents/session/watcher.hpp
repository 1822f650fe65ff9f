#pragma once

#include "actors/agents/session/replay_merge.hpp"
#include "actors/agents/session/watcher_queue.hpp"
#include "actors/base/actor_timers.hpp"
#include "messages/agents/session_actors.hpp"

#include <memory>
#include <optional>
#include <string>

namespace gasoline {

/// What a client of a session is made of.
struct watcher_setup {
  agent_session_id session_id;
  agent_session_actor session; ///< null: it was deleted after the token was given
  trace_reader_actor reader;
  frame_port_ptr port;
  std::string name; ///< shown in `bus.` events
  wall_clock clock;
  limits_of<ingest_room, session_room> limit;
  bool trusted = false;      ///< it has shown the token of the token file
  bool only_listens = false; ///< it can send nothing: it is not asked for pongs, and where its
                             ///< cursor is of no use it gets a snapshot
};

struct watcher_state {
  static inline const char* name = "watcher";

  /// A replay that is being sent.
  struct replay {
    event_range range;
    replay_merge merge;
    bool asked = false; ///< a page is on its way from the reader
  };

  std::optional<watcher_setup> setup;
  std::optional<watcher_queue> queue;
  std::optional<session_filter> filter; ///< set: subscribed, or about to be
  nlohmann::json since;                 ///< as the client gave it
  bool following = false;               ///< the session was asked for events
  bool attached = false;                ///< it has answered; what it sends now counts
  std::optional<replay> replaying;
  mono_time last_activity{};
  std::uint64_t pings = 0;     ///< unanswered
  std::uint64_t last_ping = 0; ///< nonce
  actor_timers timers;
};

/// One client that watches a session over a WebSocket or an event stream: reads its control frames,
/// passes it through the seam, bounds its queue, drives the heartbeat.
watcher_actor::behavior_type watcher(watcher_actor::stateful_pointer<watcher_state> self,
                                     watcher_setup setup);

} // namespace gasoline
