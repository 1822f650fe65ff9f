#pragma once

#include <cstddef>
#include <span>

namespace gasoline {

/// Fills `out` (at most 256 bytes) with random bytes of the kernel, fit for keys and names of
/// chance. False where the kernel has none to give (in a sandbox without the system call).
/// OpenSSL's own source would first read its settings and providers: a millisecond on the way to
/// the first answer.
[[nodiscard]] bool fill_random(std::span<std::byte> out);

} // namespace gasoline
