#pragma once

#include <string_view>

namespace gasoline {

/// The files of `own/`: what runs in a page's own world, and in workers, before their scripts.
/// Alive for the whole program.
std::string_view page_own_script();

} // namespace gasoline
