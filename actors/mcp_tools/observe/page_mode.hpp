#pragma once

#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"page"}`: the pages that were seen, each with its counts.
store_view page_view();

} // namespace gasoline
