#pragma once

#include <string_view>

namespace gasoline {

/// What the server tells a client at `initialize`; its first 512 characters stand alone.
std::string_view server_instructions();

} // namespace gasoline
