#pragma once

#include "actors/mcp_tools/tool/tool_call.hpp"
#include "messages/telemetry/mark.hpp"

#include <functional>

namespace gasoline {

/// Asks for all points in time that are known, with the commits of the projects that the caller
/// works in; the newest last.
void list_marks(const tool_call& call, std::function<void(const telemetry_marks&)> then);

} // namespace gasoline
