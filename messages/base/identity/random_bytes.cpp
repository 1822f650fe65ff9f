#include "messages/base/identity/random_bytes.hpp"

#include <sys/random.h>
#include <sys/types.h>

namespace gasoline {

bool fill_random(std::span<std::byte> out) {
  return ::getrandom(out.data(), out.size(), 0) == static_cast<ssize_t>(out.size());
}

} // namespace gasoline
