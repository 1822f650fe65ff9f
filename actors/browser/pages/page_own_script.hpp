#pragma once

#include <string_view>

namespace gasoline {

/// `page_own_script.js`: what runs in a page's own world, before its scripts. Alive for the whole
/// program.
std::string_view page_own_script();

} // namespace gasoline
