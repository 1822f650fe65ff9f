#pragma once

#include <tl/expected.hpp>

#include <string>

namespace gasoline {

/// What a user is told when something is refused: what was wrong, what is valid, what to do.
struct user_error {
  std::string message;
};

/// A value, or the sentence that says why there is none.
template <class T>
using result_or = tl::expected<T, user_error>;

} // namespace gasoline
