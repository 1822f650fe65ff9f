#pragma once

#include "config/limits.hpp"
#include "transport/http/body_inflater.hpp"
#include "transport/http/http_router.hpp"
#include "transport/http/http_takeover.hpp"
#include "transport/http/traffic/arrival_log.hpp"
#include "transport/http/traffic/refusal_log.hpp"

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <utility>

namespace gasoline {

class http_connection;

/// What the HTTP side has done since its start, for `health`.
struct http_counters {
  std::uint64_t connections = 0;               ///< accepted
  std::uint64_t connections_refused = 0;       ///< over `http_connections`
  std::uint64_t requests = 0;                  ///< answered, whatever the status
  std::uint64_t requests_refused = 0;          ///< answered here with an error, before any route
  std::uint64_t requests_overloaded = 0;       ///< of those: over `http_inflight_bytes`
  std::uint64_t requests_inflated_too_far = 0; ///< of those: over `http_inflated_bytes`
  std::uint64_t answers_refused = 0;           ///< answered 429 instead, over `http_inflight_bytes`
  std::uint64_t timeouts = 0;                  ///< requests that did not arrive in time
  std::uint64_t streams = 0;                   ///< responses that were streamed
  std::uint64_t websockets = 0;                ///< connections that were upgraded
  std::uint64_t streams_refused = 0;           ///< over `http_streams`
  std::uint64_t streams_overflowed = 0;        ///< ended, for too much was unsent
  std::uint64_t streams_stalled = 0;           ///< ended, for the client took nothing in time
};

/// What all connections of one server share. Used on the io thread only.
struct http_traffic {
  http_traffic(http_router r, const limits_of<http_room>& l) : router(std::move(r)), limit(l) {}

  http_router router;
  const limits_of<http_room> limit;
  const std::shared_ptr<body_inflater> inflater = std::make_shared<body_inflater>();
  http_counters counters;
  refusal_log refusals;
  arrival_log arrivals;
  std::uint64_t inflight_bytes = 0; ///< bodies that are arriving or not answered yet
  std::uint64_t unsent_bytes = 0;   ///< of answers and streams that clients have not taken yet
  std::uint64_t streams = 0;        ///< streamed responses that have not ended
  std::unordered_set<std::shared_ptr<http_connection>> open;
  std::unordered_set<std::shared_ptr<taken_connection>> taken; ///< counted in `streams` as well
};

} // namespace gasoline
