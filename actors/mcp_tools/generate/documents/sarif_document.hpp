#pragma once

#include "actors/mcp_tools/generate/generation/generation.hpp"

namespace gasoline {

/// `generate {what:"sarif"}`: faults and findings of security as SARIF 2.1.0.
generation sarif_document();

} // namespace gasoline
