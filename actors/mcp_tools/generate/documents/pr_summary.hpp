#pragma once

#include "actors/mcp_tools/generate/generation/generation.hpp"

namespace gasoline {

/// `generate {what:"pr_summary"}`: what a change did, before and after a mark, as Markdown.
generation pr_summary();

} // namespace gasoline
