#pragma once

#include "actors/mcp_tools/tool/tool_call.hpp"
#include "messages/browser/browser_action.hpp"

#include <functional>
#include <string>

namespace gasoline {

/// Asks the engine's own browser, and gives `then` its redacted answer. What the browser refuses is
/// answered to the caller; so is that there is none.
void ask_browser(const tool_call& call, browser_action action,
                 std::function<void(const std::string&)> then);

} // namespace gasoline
