#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gasoline {

/// Writes as much of `bytes` as the descriptor takes without blocking, whatever its flags are;
/// answers how much, or nothing when the reader is gone.
std::optional<std::size_t> write_what_fits(int fd, std::string_view bytes);

} // namespace gasoline
