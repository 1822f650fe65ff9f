#pragma once

#include "actors/mcp/client/request_context.hpp"
#include "messages/alerts/told_alerts.hpp"
#include "messages/telemetry/event_snapshot.hpp"
#include "messages/telemetry/query.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>

namespace gasoline {

// Reads of the engine's state on behalf of one request, without marking anything as read. `then`
// runs on the client; when the engine is going down, the request is answered instead
// (`request_context::fail_shutting_down`).

/// The last alerts, newest first.
void read_alerts(const request_context& context, std::function<void(const alert_listing&)> then);

/// One page of events, from the client's cleared position on.
void read_events(const request_context& context, store_query query,
                 std::function<void(const store_page&)> then);

/// All that is buffered, and the sequence number behind which the client reads.
void read_snapshot(const request_context& context,
                   std::function<void(const event_snapshot_ptr&, std::uint64_t)> then);

/// One page of events without those of other projects.
void read_own_events(const request_context& context, store_query query,
                     std::function<void(const store_page&)> then);

/// The CI results of the client's project, newest first, as an array.
void read_own_ci(const request_context& context, std::function<void(const nlohmann::json&)> then);

/// The CI results, newest first, as an array.
void read_ci(const request_context& context, std::function<void(const nlohmann::json&)> then);

/// The health document.
void read_health(const request_context& context, std::function<void(const nlohmann::json&)> then);

} // namespace gasoline
