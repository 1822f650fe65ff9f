#include "actors/streams/uuid_source.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gasoline {
namespace {

std::mt19937_64 seeded() {
  std::random_device device;
  std::seed_seq seed{device(), device(), device(), device(),
                     device(), device(), device(), device()};
  return std::mt19937_64{seed};
}

} // namespace

uuid_source::uuid_source() : random_(seeded()) {}

std::string uuid_source::next() {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::string_view shape = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
  std::string out{shape};
  std::uint64_t bits = 0;
  int left = 0;
  for (auto& c : out) {
    if (c != 'x' && c != 'y')
      continue;
    if (left == 0) {
      bits = random_();
      left = 16;
    }
    const auto nibble = static_cast<std::size_t>(bits & 0xFU);
    c = digits[c == 'x' ? nibble : (8 | (nibble & 3U))];
    bits >>= 4U;
    --left;
  }
  return out;
}

} // namespace gasoline
