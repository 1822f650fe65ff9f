#pragma once

#include "actors/resolution/fault_names.hpp"
#include "config/limits.hpp"
#include "messages/telemetry/event_refs.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// One fault and its occurrences, found by the key that its alert has.
struct fault {
  redacted_text title;
  std::uint64_t count = 0;
  wall_time first_at{};
  wall_time last_at{};
  const event* newest = nullptr; ///< the newest occurrence
  event_refs occurrences;        ///< at most 50, oldest first
};

/// File, line and column that threw; empty: not known.
redacted_text place_of(const fault& f);

/// By key. What may raise an alert is a fault, and so is a console error.
using fault_table = std::map<std::string, fault>;

/// The faults among these events.
fault_table faults_in(event_span events, const limits_of<alert_room>& limit);

/// The same; what `names` has named already, among other events, is not named once more.
fault_table faults_in(event_span events, fault_names& names);

/// The fault that was seen last, of those with that title unless it is empty; null: there is none.
const fault* newest_fault(const fault_table& faults, std::string_view title = {});

} // namespace gasoline
