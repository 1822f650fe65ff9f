#pragma once

#include "actors/mcp_tools/analyze/analysis/analysis_input.hpp"
#include "actors/mcp_tools/generate/generation/generate_call.hpp"
#include "config/values/user_error.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What one artifact is made of.
struct generation_input {
  const generate_call& call;
  const analysis_input& seen;
  event_refs steps;        ///< actions, requests, loads, each for itself; oldest first
  std::string alert_title; ///< of the alert that was asked for; empty: none was
  std::uint64_t room = 0;  ///< most bytes of the text
};

/// A text that others read: a script, a report, a document of a standard.
struct artifact {
  std::string text;
  std::string sentence; ///< what it holds and what was left out; ends with a full stop
};

/// What the sentence says of those that had no room; empty: none is left out.
inline std::string older_left_out(std::size_t count) {
  if (count == 0)
    return {};
  return ' ' + std::to_string(count) +
         " older ones are left out; a path or a larger max_bytes takes all.";
}

/// Which events an artifact is made of beside those that are grouped.
enum class looked_at : std::uint8_t { events, events_and_steps };

/// A mode of `generate`: a name, a line for the guide, and a pure function that makes the text, or
/// says what is missing and what to do.
struct generation {
  std::string_view name;
  std::string_view about;
  usual_beginning begins = usual_beginning::everything;
  looked_at looks = looked_at::events;
  result_or<artifact> (*make)(const generation_input& input) = nullptr;
};

} // namespace gasoline
