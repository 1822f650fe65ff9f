#pragma once

#include "actors/mcp_tools/analyze/faults/fault_table.hpp"

#include <string>

namespace gasoline {

/// Statements that put what a page shows of the fault into the list `seen` of the script around
/// them: its error in the page or the console, or its request. Indented by `indent`.
std::string script_watch(const fault& f, std::string_view indent);

} // namespace gasoline
