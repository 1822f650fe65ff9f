#pragma once

#include "actors/mcp_tools/analyze/analysis/analysis_mode.hpp"

namespace gasoline {

/// `analyze {what:"security"}`.
analysis security_analysis();

} // namespace gasoline
