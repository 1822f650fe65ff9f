#pragma once

#include <cstdint>

namespace gasoline {

/// Identifies one MCP client within the engine; never reused.
using client_id = std::uint64_t;

} // namespace gasoline
