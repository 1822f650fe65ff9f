#pragma once

#include "actors/mcp_tools/analyze/analysis/analysis_mode.hpp"

namespace gasoline {

/// `analyze {what:"timeline"}`.
analysis timeline_analysis();

} // namespace gasoline
