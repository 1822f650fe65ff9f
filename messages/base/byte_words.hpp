#pragma once

#include <cstdint>
#include <cstring>

namespace gasoline::byte_words {

// Eight bytes of a text, looked at together. What answers about bytes has the top bit of a byte
// set; whether any is set is exact, which one is it only for the lowest.

inline constexpr std::uint64_t ones = 0x0101010101010101;
inline constexpr std::uint64_t tops = 0x8080808080808080;

/// The eight bytes that begin there.
inline std::uint64_t load(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// The bytes below `bound`, which is at most 0x80: they borrow into their top bit.
constexpr std::uint64_t below(std::uint64_t word, std::uint64_t bound) {
  return (word - ones * bound) & ~word & tops;
}

/// The bytes that are `byte`.
constexpr std::uint64_t equal(std::uint64_t word, std::uint64_t byte) {
  return below(word ^ (ones * byte), 1);
}

/// The bytes that are no ASCII.
constexpr std::uint64_t beyond_ascii(std::uint64_t word) {
  return word & tops;
}

} // namespace gasoline::byte_words
