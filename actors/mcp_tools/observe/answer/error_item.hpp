#pragma once

#include "actors/mcp_tools/observe/answer/observe_call.hpp"

#include <vector>

namespace gasoline {

/// Errors by fault, each with what is needed to open the right line: message, time, folded stack,
/// page, how often and since when, what led there, and whether it was seen since its page was
/// loaded anew. Nothing is said twice, and an item has about 400 bytes at most, whatever was sent.
std::vector<answer_item> error_items(const observe_call& call, const store_page& page,
                                     const store_page& around);

} // namespace gasoline
