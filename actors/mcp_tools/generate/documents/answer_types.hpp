#pragma once

#include "actors/mcp_tools/generate/generation/generation.hpp"

namespace gasoline {

/// `generate {what:"types"}`: what endpoints answer, as TypeScript and JSON Schema.
generation answer_types();

/// `generate {what:"fixture"}`: the newest whole answer of an endpoint, with its JSON Schema.
generation answer_fixture();

} // namespace gasoline
