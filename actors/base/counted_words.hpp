#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

/// `1 fault`, `2 faults`.
inline std::string counted_words(std::uint64_t n, std::string_view one, std::string_view many) {
  return std::to_string(n).append(" ").append(n == 1 ? one : many);
}

} // namespace gasoline
