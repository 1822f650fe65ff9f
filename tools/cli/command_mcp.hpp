#pragma once

#include "config/settings.hpp"

namespace gasoline {

/// `gasoline mcp`: serves the MCP client on stdin and stdout, by an engine in this process or, when
/// one runs already for the state directory, by that one. Answers the exit code.
int run_mcp(const settings& config);

} // namespace gasoline
