#pragma once

#include "actors/mcp_tools/tool/tool_parameters.hpp"
#include "config/limits.hpp"

#include <cstdint>
#include <string>

namespace gasoline {

/// A checked `analyze` call.
struct analyze_call {
  std::string since; ///< as given: a mark, `reload`, `build`, a time or an age; empty: not given
  std::string until; ///< the same
  std::string url;   ///< substring of url or page; empty: any
  std::uint64_t limit = 0;     ///< most items of each list
  std::uint64_t max_bytes = 0; ///< of the whole answer
  std::string ignored{};       ///< arguments it does not know, for the sentence
};

/// The parameters that all modes have.
tool_parameters<analyze_call> analyze_parameters(const limits_of<result_room>& limit);

} // namespace gasoline
