#pragma once

#include "actors/mcp_tools/generate/generation/generation.hpp"

namespace gasoline {

/// `generate {what:"csp"}`: a content security policy, to be reported first, from what the pages
/// loaded.
generation content_policy();

} // namespace gasoline
