#pragma once

#include <string_view>

namespace gasoline {

/// What an agent's hands do inside a page, the files of `hands`: finds elements, says what they
/// are, and whether a person could act on them. Runs in a world of its own in each frame, so it
/// sees the page's elements and none of its scripts. Statements of one function; alive for the
/// whole program.
std::string_view page_hands();

} // namespace gasoline
