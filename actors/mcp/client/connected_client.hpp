#pragma once

#include "actors/mcp/client/open_request.hpp"
#include "actors/mcp/protocol/connection_era.hpp"
#include "actors/mcp/protocol/request_state.hpp"
#include "actors/mcp/protocol/resource_subscriptions.hpp"
#include "actors/push/rate_window.hpp"
#include "actors/redaction/redaction_engine.hpp"
#include "messages/actors.hpp"
#include "messages/mcp/mcp.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {

struct alert_waiter;
struct mcp_registry;
class stream_notifier;

/// What every client session of an engine works with.
struct client_environment {
  telemetry_store_actor store;
  noise_filter_actor noise;
  ci_monitor_actor ci;
  stream_registry_actor streams;
  alert_buffer_actor alerts;
  caf::actor_addr engine;  ///< answers `health_atom`
  recorder_actor recorder; ///< null: nothing is recorded
  std::shared_ptr<const redaction_engine> redaction;
  std::shared_ptr<const mcp_registry> registry;   ///< what can be listed and called
  std::shared_ptr<const request_state_seal> seal; ///< signs `requestState`
  std::vector<std::string> toolsets;
  wall_clock clock;
  limits limit;
};

/// A request of ours that the client has not answered.
struct pending_ask {
  open_request_ptr request; ///< on whose behalf
  std::function<void(const nlohmann::json& reply)> then;
  std::uint64_t timer = 0;
};

struct client_state {
  static inline const char* name = "connected_client";

  client_environment env;
  client_id id = 0;
  client_origin origin;
  message_writer writer;
  push_throttler_actor throttler;
  std::string given_name{"unknown"}; ///< as the client gave it; shown through `client_name`

  // Protocol state
  connection_era era;                   ///< of a connection without headers
  std::optional<mcp_revision> revision; ///< agreed by `initialize`
  bool modern_seen = false;             ///< has served a request of the modern era
  nlohmann::json capabilities;          ///< of the client, as `initialize` gave them
  std::optional<log_severity> level;    ///< set by `logging/setLevel`

  // What is under way. A client may repeat an id.
  std::multimap<std::pair<exchange_id, std::string>, open_request_ptr> requests;
  std::map<std::uint64_t, pending_ask> asks;
  std::uint64_t last_ask = 0;
  std::map<std::uint64_t, std::function<void()>> timers;
  std::uint64_t last_timer = 0;
  std::vector<std::shared_ptr<alert_waiter>> waiters;
  std::optional<resource_subscriptions> subscriptions;
  std::set<watched_part> watching;                   ///< parts that will tell of their next change
  std::uint64_t update_timer = 0;                    ///< tells of coalesced changes; 0: none runs
  std::map<std::uint64_t, open_request_ptr> listens; ///< by their number in `subscriptions`

  // Named streams
  std::shared_ptr<stream_notifier> notifier; ///< null: nothing was to be pushed yet
  std::uint64_t notify_timer = 0;            ///< tells of throttled events; 0: none runs

  // Tools
  std::optional<rate_window> tool_calls;
  std::uint64_t total_tool_calls = 0;
  std::uint64_t cleared_sequence = 0; ///< `configure {action:"clear"}`: older events are not shown
  std::uint64_t alerts_read = 0;

  bool streaming = false; ///< alerts are passed to the throttler
  bool closing = false;   ///< the client sends nothing more
  bool ended = false;
};

using client_pointer = client_actor::stateful_pointer<client_state>;

/// One MCP client of either era with its throttler, which it spawns, links and ends.
client_actor::behavior_type connected_client(client_pointer self, client_environment env,
                                             client_id id, client_origin origin,
                                             message_writer writer);

} // namespace gasoline
