#pragma once

#include "actors/mcp_tools/analyze/faults/fault_table.hpp"
#include "actors/mcp_tools/generate/generation/generation.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// How a fault came about, as far as it was recorded.
struct fault_story {
  fault seen;
  event_refs actions;  ///< what was done before it, in its tab, oldest first
  redacted_text start; ///< the address that its page was opened at; empty: not known
};

/// The story of the fault that was asked for: of the alert, else the one seen last. The sentence
/// says why there is none.
result_or<fault_story> tell_fault(const generation_input& input);

} // namespace gasoline
