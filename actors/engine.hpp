#pragma once

#include "actors/base/work_queue.hpp"
#include "actors/browser/actions/page_secret.hpp"
#include "actors/engine_roster.hpp"
#include "actors/redaction/redaction_engine.hpp"
#include "config/settings.hpp"
#include "messages/agents/http_fetch.hpp"
#include "messages/agents/session_actors.hpp"
#include "messages/alert_actors.hpp"
#include "messages/browser/browser_actors.hpp"
#include "messages/streams/stream_backend.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

class request_state_seal;
struct mcp_registry;

/// What an engine is made of besides its settings.
struct engine_options {
  settings config;
  wall_clock clock;
  std::shared_ptr<const redaction_engine> redaction;
  std::shared_ptr<const mcp_registry> offers; ///< what its clients can list and call
  recorder_actor recorder;                    ///< null: nothing is recorded
  health_source http;                         ///< null: there is no HTTP side
  std::shared_ptr<http_fetcher> fetcher;      ///< of scripts and their maps; null: none are fetched
  bool has_disk = false; ///< programs of this user have their scripts and maps on the disk
  session_registry_actor sessions; ///< ended with the engine's own actors; null: none are kept
  origin_locator_actor locator;    ///< null: it is not learned which program is of which project
  hook_secrets secrets;            ///< of webhooks of CI systems
  std::string home;                ///< of the user; may be empty
  stream_backend_actor streams;    ///< null: named streams live in this process
  std::shared_ptr<browser_dialer> browsers; ///< null: there is no browser to be driven
  page_secrets secrets_of_pages;            ///< what `interact` may fill in
  std::string_view page_watch; ///< what the browser puts into pages, alive as long as the program
  std::string_view accessibility_rules; ///< the script of axe-core; empty: there is none
  bool ends_with_clients = false;       ///< ends when its last stdio or attached client has left
  std::size_t body_workers = 0; ///< threads, of each kind, that large bodies are worked on; 0: none
  /// Called once when an actor has ended that should not, before the others are told to end: they
  /// may wait for its answers, so somebody has to bound the time. May be empty.
  std::function<void()> on_failure{};
};

/// The actors of one engine that somebody asks for.
struct engine_parts {
  telemetry_store_actor store;
  mark_log_actor marks;
  frame_resolver_actor frames;
  ci_monitor_actor ci;
  stream_registry_actor streams;
  alert_hub_actor hub;
  alert_ledger_actor alerts;
  noise_filter_actor noise;
  ingest_actor ingest;
  work_queue_actor analyses;
  browser_actor browser; ///< null: this engine drives none
};

struct engine_state {
  static inline const char* name = "engine";

  /// A client that is attached, or whose last bytes are still being written.
  struct client {
    client_actor session;
    message_writer writer;
    bool keeps_engine = false; ///< an engine that ends with its clients waits for this one
    bool session_ended = false;
    bool writer_ended = false;
  };

  engine_options options;
  std::shared_ptr<const request_state_seal> seal;
  engine_parts parts;
  engine_roster roster;
  std::map<client_id, client> clients;
  client_id last_client = 0;
  std::string listen_problem; ///< why there is no HTTP; empty: there is
  mono_time started{};
  std::vector<caf::strong_actor_ptr> to_end; ///< in reverse order of their ending
  bool ending = false;
  bool failed = false; ///< ends because something ended that should not have
};

/// Spawns the actors of one engine, watches them, and ends them in order: first what takes
/// telemetry in, then the clients, then what they ask. Its own reason is an error when one of them
/// has ended unexpectedly.
local_engine_actor::behavior_type engine(local_engine_actor::stateful_pointer<engine_state> self,
                                         engine_options options);

} // namespace gasoline
