#pragma once

#include <string_view>

namespace gasoline {

/// `page_hands.js`: finds elements in a page and says whether a person could act on them. Alive for
/// the whole program.
std::string_view page_hands();

} // namespace gasoline
