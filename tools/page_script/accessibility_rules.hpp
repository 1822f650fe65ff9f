#pragma once

#include <string_view>

namespace gasoline {

/// The script of axe-core, which tells what of a page some people cannot use; empty: this build has
/// none. Alive for the whole program.
std::string_view accessibility_rules();

} // namespace gasoline
