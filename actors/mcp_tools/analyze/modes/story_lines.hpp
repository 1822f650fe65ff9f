#pragma once

#include "actors/mcp_tools/analyze/faults/fault_table.hpp"
#include "messages/telemetry/event_refs.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// One thing that happened, in words.
struct story_line {
  const event* told = nullptr;
  std::string words; ///< `click on Pay`, `GET /api/items/7 500 in 30 ms`; one line
};

/// What happened in the document of a fault, and in its trace on servers, from half a minute before
/// it until 2 s after it: what users did, requests, errors, warnings. Oldest first; of more than 20
/// those nearest to the fault. `events` oldest first.
std::vector<story_line> story_lines(event_span events, const fault& f);

/// `-1.2 s`, `+350 ms`: when that was, seen from the fault.
std::string distance_text(const event& e, const fault& f);

} // namespace gasoline
