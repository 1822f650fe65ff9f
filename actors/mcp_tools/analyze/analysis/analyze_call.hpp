#pragma once

#include "actors/mcp_tools/tool/tool_parameters.hpp"
#include "config/limits.hpp"

#include <cstdint>
#include <string>

namespace gasoline {

/// A checked `analyze` call.
struct analyze_call {
  std::string
      since; ///< as given: a mark, `reload`, `build`, `commit`, a time or an age; empty: not given
  std::string until;           ///< the same
  std::string url;             ///< substring of url or page; empty: any
  std::uint64_t limit = 0;     ///< most items of each list
  std::uint64_t max_bytes = 0; ///< of the whole answer
  std::string ignored{};       ///< arguments it does not know, for the sentence
};

/// Adds the parameters that say which events are looked at, and how large the answer may be.
template <class Call>
void add_event_parameters(tool_parameters<Call>& out, const limits_of<result_room>& limit) {
  out.text("since", &Call::since)
      .about("A mark, reload, build, commit, ISO 8601, or an age such as 5m");
  out.text("until", &Call::until);
  out.text("url", &Call::url);
  out.integer("max_bytes", &Call::max_bytes, 1024, limit.result.max_bytes);
}

/// A call as it is when nothing is given.
template <class Call>
Call usual_call(const limits_of<result_room>& limit) {
  constexpr std::uint64_t usual_items = 20;
  Call out;
  out.limit = usual_items;
  out.max_bytes = limit.result.bytes;
  return out;
}

/// Adds all parameters of an analysis.
template <class Call>
void add_analyze_parameters(tool_parameters<Call>& out, const limits_of<result_room>& limit) {
  add_event_parameters(out, limit);
  out.integer("limit", &Call::limit, 1, limit.result.max_items);
  out.ignored(&Call::ignored);
}

/// The parameters that all modes have.
tool_parameters<analyze_call> analyze_parameters(const limits_of<result_room>& limit);

} // namespace gasoline
