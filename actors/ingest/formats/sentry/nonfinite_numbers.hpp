#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// The text with `null` for `NaN`, `Infinity` and `-Infinity` outside of strings, which Python
/// writes into what it takes for JSON; nothing: there are none.
std::optional<std::string> without_nonfinite_numbers(std::string_view json);

} // namespace gasoline
