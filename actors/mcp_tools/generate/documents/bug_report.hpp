#pragma once

#include "actors/mcp_tools/generate/generation/generation.hpp"

namespace gasoline {

/// `generate {what:"bug_report"}`: the story of a fault, its evidence and where it was seen, as
/// Markdown.
generation bug_report();

} // namespace gasoline
