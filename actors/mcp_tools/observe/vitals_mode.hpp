#pragma once

#include "actors/mcp_tools/observe/answer/store_answer.hpp"

namespace gasoline {

/// `observe {what:"vitals"}`: web vitals of each page load, rated.
store_view vitals_view();

} // namespace gasoline
