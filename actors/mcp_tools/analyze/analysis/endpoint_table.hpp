#pragma once

#include "actors/resolution/deed_words.hpp"
#include "messages/telemetry/event_refs.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// Requests of one method to one place, ids in the path left out.
struct endpoint {
  std::string words; ///< `GET /api/items/:id`
  std::uint64_t count = 0;
  std::map<std::int32_t, std::uint64_t> statuses; ///< 0: no answer
  std::vector<double> durations;                  ///< milliseconds, ascending
  std::uint64_t burst = 0;  ///< most requests to different ids within a second: an N+1 query
  std::uint64_t repeat = 0; ///< most requests to one and the same URL within a second
};

/// The duration that this part (0 to 1) of the requests stays within; nothing when none is known.
std::optional<double> duration_at(const endpoint& e, double part);

/// Those of its requests that had no answer or a status of 400 and above.
std::uint64_t failures_of(const endpoint& e);

/// The requests among these events, each once: a browser times those as well whose answers were
/// captured.
event_refs requests_once(event_span events, request_wording& wording);

/// The endpoints among these events, oldest first, in the order of the numbers that `wording` gives
/// their words. What was worded already is not worded once more.
std::vector<endpoint> endpoints_in(event_span events, request_wording& wording);

/// The durations alone of the same endpoints, in milliseconds and the order of the events, by the
/// number of their words. The browser's own timings count only for places of which no request was
/// captured.
std::vector<std::vector<double>> durations_in(event_span events, request_wording& wording);

} // namespace gasoline
