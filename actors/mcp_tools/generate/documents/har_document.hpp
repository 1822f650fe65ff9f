#pragma once

#include "actors/mcp_tools/generate/generation/generation.hpp"

namespace gasoline {

/// `generate {what:"har"}`: the recorded requests as HAR 1.2.
generation har_document();

} // namespace gasoline
