#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// The value of `integrity=` for a script tag: browsers then run no other script that somebody may
/// serve from the engine's port. `sha384-` and the hash in base64.
std::string script_integrity(std::string_view script);

} // namespace gasoline
