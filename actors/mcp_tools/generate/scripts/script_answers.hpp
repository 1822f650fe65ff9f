#pragma once

#include "actors/mcp_tools/generate/generation/fault_story.hpp"

#include <string>
#include <string_view>

namespace gasoline {

/// Lines of a Playwright script that answer the page's requests as its server did before the fault:
/// those whose whole answer was recorded, not the request that is the fault itself. What was not
/// recorded goes to the server.
std::string script_answers(const fault_story& story, event_span steps, std::string_view indent);

} // namespace gasoline
