#pragma once

#include <string_view>

namespace gasoline {

/// The program's version, as in `gasoline --version` and the MCP server info.
std::string_view program_version();

} // namespace gasoline
