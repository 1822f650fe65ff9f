#pragma once

#include "actors/mcp_tools/observe/answer/observe_call.hpp"

#include <vector>

namespace gasoline {

/// Events without what only joins them with each other and without what is said twice: addresses
/// lose the origin of their page, a log entry its arguments, which its message holds, and a stack
/// is folded.
std::vector<answer_item> event_items(const observe_call& call, const store_page& page,
                                     const store_page& around);

} // namespace gasoline
