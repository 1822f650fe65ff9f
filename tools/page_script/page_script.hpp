#pragma once

#include <string_view>

namespace gasoline {

/// The minified page script, served as `GET /gasoline.js`: ASCII, at most
/// 12,288 bytes when compressed, alive for the whole program. Empty when the program was built
/// without Node.js.
std::string_view page_script();

/// What the engine's own browser puts into pages, minified: it tells by the function
/// `gasoline_tell` what a user does, how fast the page was, and what its policy blocks. Alive and
/// empty as above.
std::string_view page_watch();

} // namespace gasoline
