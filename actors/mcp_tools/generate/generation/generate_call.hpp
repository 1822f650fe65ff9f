#pragma once

#include "actors/mcp_tools/analyze/analysis/analyze_call.hpp"

#include <string>

namespace gasoline {

/// A checked `generate` call.
struct generate_call : analyze_call {
  std::string id;         ///< of an alert, `alert_12`; empty: the newest fault
  std::string path;       ///< where the text is written to; empty: it is the answer
  bool replay = false;    ///< a test answers requests from what was recorded
  bool overwrite = false; ///< a file that is there already is replaced
};

/// The parameters that all modes have.
tool_parameters<generate_call> generate_parameters(const limits_of<result_room>& limit);

} // namespace gasoline
