#pragma once

#include "actors/mcp_tools/analyze/analysis/analysis_mode.hpp"

namespace gasoline {

/// `analyze {what:"flaky"}`.
analysis flaky_analysis();

} // namespace gasoline
