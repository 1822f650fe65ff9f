#pragma once

#include "actors/mcp_tools/analyze/analysis/analysis_mode.hpp"

namespace gasoline {

/// `analyze {what:"diff"}`.
analysis diff_analysis();

} // namespace gasoline
