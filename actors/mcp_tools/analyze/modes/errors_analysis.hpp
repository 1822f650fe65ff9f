#pragma once

#include "actors/mcp_tools/analyze/analysis/analysis_mode.hpp"

namespace gasoline {

/// `analyze {what:"errors"}`.
analysis errors_analysis();

} // namespace gasoline
