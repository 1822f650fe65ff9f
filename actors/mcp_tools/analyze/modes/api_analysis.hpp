#pragma once

#include "actors/mcp_tools/analyze/analysis/analysis_mode.hpp"

namespace gasoline {

/// `analyze {what:"api"}`.
analysis api_analysis();

} // namespace gasoline
