#pragma once

#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"errors"}`.
store_view errors_view();

} // namespace gasoline
