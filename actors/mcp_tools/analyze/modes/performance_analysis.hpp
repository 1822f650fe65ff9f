#pragma once

#include "actors/mcp_tools/analyze/analysis/analysis_mode.hpp"

namespace gasoline {

/// `analyze {what:"performance"}`.
analysis performance_analysis();

} // namespace gasoline
