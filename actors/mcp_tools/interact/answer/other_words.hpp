#pragma once

#include <string_view>

namespace gasoline {

/// What `interact` has for an action that other tools call so, as words for `use …`; empty: nothing
/// is known.
std::string_view action_meant_by(std::string_view word);

/// The parameter of `interact` that other tools call so; empty: nothing is known.
std::string_view parameter_meant_by(std::string_view word);

} // namespace gasoline
