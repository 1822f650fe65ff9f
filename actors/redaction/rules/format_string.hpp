#pragma once

#include "actors/redaction/rules/rules.hpp"

#include <string_view>
#include <vector>

namespace gasoline::redaction {

/// What a format string says about each of its arguments, in their order: for `token %s of %s` the
/// first is secret, the second is not. Knows `%s` and its kin, `{}` and `{0}`. Empty when it says
/// nothing about any.
std::vector<key_class> announced_arguments(std::string_view format);

} // namespace gasoline::redaction
