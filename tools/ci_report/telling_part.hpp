#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// What a test printed, from where it says what went wrong: Rust's panic without its backtrace, an
/// exception of pytest, else the last 1,000 bytes.
std::string telling_part(std::string_view output);

} // namespace gasoline
