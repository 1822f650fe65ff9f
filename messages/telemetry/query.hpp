#pragma once

#include "messages/telemetry/event.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// Which events of the telemetry store a question is about.
enum class queried_events : std::uint8_t {
  errors,
  faults, ///< errors, those of one fault together
  logs,   ///< errors too
  network_waterfall,
  network_bodies,
  websocket_events,
  actions,
  performance,
  ci,
  all,
  timeline, ///< all, by the time at which they happened
  steps     ///< what users and pages did: actions, requests, loads; each for itself
};

/// A checked question to the telemetry store. Answers run from the newest event backwards.
struct store_query {
  queried_events what = queried_events::errors;
  std::string url;                    ///< substring of url or page; empty: any
  std::optional<event_origin> origin; ///< who observed it
  std::string service;                ///< of that program; empty: of any
  std::optional<log_level> min_level;
  std::optional<int> status_min;     ///< smallest status; failed requests (0) always match
  std::optional<wall_time> since;    ///< events at or after this time
  std::optional<wall_time> until;    ///< events at or before this time
  std::uint64_t after_sequence = 0;  ///< only events above it (the client's cleared position)
  std::uint64_t before_sequence = 0; ///< only events below it (cursor); 0: no bound
  bool include_noise = false;        ///< also events marked as noise
  bool joins_loads = false;       ///< what was said alike in several loads of a page is one group
  std::uint64_t limit = 100;      ///< distinct events to return
  std::uint64_t max_bytes = 8192; ///< text budget of the whole answer
};

/// Identical events, or those of one fault, newest first in an answer: one event and how often it
/// was seen.
struct event_group {
  event_ptr newest;
  wall_time first_at{};
  std::uint64_t count = 0;         ///< occurrences, sender-side sums included
  std::vector<event_ptr> others{}; ///< of a fault: one of each further page, newest first
};

/// The store's answer.
struct store_page {
  std::vector<event_group> groups;
  std::uint64_t total = 0;       ///< matching events, before grouping and paging
  std::uint64_t next_cursor = 0; ///< ask again with `before_sequence`; 0: no more
  std::uint64_t buffered = 0;    ///< events in the buffers that this question looks at
  std::uint64_t newest_sequence = 0;
  bool any_source_seen = false;   ///< whether any telemetry ever arrived
  std::uint64_t noise_hidden = 0; ///< matching events left out as noise
  std::uint64_t evicted = 0;      ///< events of these buffers that caps have dropped so far
};

/// Entries per buffer, for the `_meta.data_counts` of tools.
using data_counts = std::map<std::string, std::uint64_t>;

} // namespace gasoline
