#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gasoline {

/// Mixes one more number into a hash.
constexpr std::uint64_t hash_with(std::uint64_t hash, std::uint64_t number) {
  hash = (hash ^ number) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 32U);
}

/// Mixes a text into a hash, for tables that live as long as the work on one answer. Eight bytes a
/// step: `std::hash` takes three times as long, and answers look thousands of addresses up.
inline std::uint64_t hash_with(std::uint64_t hash, std::string_view text) {
  constexpr std::size_t step = sizeof(std::uint64_t);
  hash = hash_with(hash, std::uint64_t{text.size()});
  std::uint64_t next = 0;
  if (text.size() < step) {
    for (const char c : text)
      next = next << 8U | static_cast<unsigned char>(c);
    return text.empty() ? hash : hash_with(hash, next);
  }
  const char* const last = text.data() + text.size() - step; // overlaps the step before
  for (const char* at = text.data(); at < last; at += step) {
    std::memcpy(&next, at, step);
    hash = hash_with(hash, next);
  }
  std::memcpy(&next, last, step);
  return hash_with(hash, next);
}

/// Of a text alone.
struct text_hash {
  std::size_t operator()(std::string_view text) const { return hash_with(0, text); }
};

} // namespace gasoline
