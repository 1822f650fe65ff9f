#pragma once

#include <string_view>

namespace gasoline {

/// The minified page script, served as `GET /gasoline.js`: ASCII, at most
/// 12,288 bytes when compressed, alive for the whole program. Empty when the program was built
/// without Node.js.
std::string_view page_script();

} // namespace gasoline
