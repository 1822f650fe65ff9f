#pragma once

#include "actors/mcp_tools/tool/tool_call.hpp"
#include "messages/browser/browser_action.hpp"

namespace gasoline {

/// Has the browser act, and answers with what came of it and with the errors and failed requests of
/// that page meanwhile.
void run_action(const tool_call& call, browser_action asked);

} // namespace gasoline
