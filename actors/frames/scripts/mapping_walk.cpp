#include "actors/frames/scripts/mapping_walk.hpp"

#include <algorithm>
#include <array>

namespace gasoline {
namespace {

constexpr std::array<std::int8_t, 256> make_digits() {
  std::array<std::int8_t, 256> out{};
  for (auto& digit : out)
    digit = -1;
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < letters.size(); ++i)
    out[static_cast<unsigned char>(letters[i])] = static_cast<std::int8_t>(i);
  return out;
}

constexpr auto digits = make_digits();
constexpr unsigned digit_bits = 5;
constexpr unsigned most_shift = 30; // seven digits hold 32 bits and the sign
constexpr std::int64_t most_value = 0x7FFFFFFF;

bool in_range(std::int64_t value) {
  return value >= 0 && value <= most_value;
}

} // namespace

bool mapping_walk::read_number(std::int64_t& number) {
  std::uint64_t bits = 0;
  unsigned shift = 0;
  while (at_ < mappings_.size()) {
    const auto digit = digits[static_cast<unsigned char>(mappings_[at_])];
    if (digit < 0 || shift > most_shift)
      return false;
    ++at_;
    bits |= static_cast<std::uint64_t>(digit & 0x1F) << shift;
    shift += digit_bits;
    if ((digit & 0x20) != 0)
      continue;
    const auto value = static_cast<std::int64_t>(bits >> 1U);
    number += (bits & 1U) != 0 ? -value : value;
    return true;
  }
  return false;
}

bool mapping_walk::read_segment() {
  const auto ends = [&] {
    return at_ >= mappings_.size() || mappings_[at_] == ',' || mappings_[at_] == ';';
  };
  bool whole = true;
  numbers_ = 0;
  for (auto* number : {&generated_, &source_, &line_, &column_, &name_}) {
    if (ends())
      break;
    whole = read_number(*number);
    if (!whole)
      break;
    ++numbers_;
  }
  while (!ends())
    ++at_;
  return whole && (numbers_ == 1 || numbers_ == 4 || numbers_ == 5);
}

void mapping_walk::offer(std::uint32_t line) {
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    auto& best = best_[i];
    if (asked_[i].line != line || generated_ < best.begins || generated_ > asked_[i].column ||
        generated_ < 0)
      continue;
    best.begins = generated_;
    auto& out = best.segment;
    out = {};
    if (numbers_ < 4 || !in_range(source_) || static_cast<std::size_t>(source_) >= sources_ ||
        !in_range(line_) || !in_range(column_))
      continue;
    out.known = true;
    out.source = static_cast<std::uint32_t>(source_);
    out.line = static_cast<std::uint32_t>(line_);
    out.column = static_cast<std::uint32_t>(column_);
    out.named = numbers_ == 5 && in_range(name_) && static_cast<std::size_t>(name_) < names_;
    out.name = out.named ? static_cast<std::uint32_t>(name_) : 0;
  }
}

std::vector<mapped_segment> mapping_walk::answers() {
  best_.assign(asked_.size(), {});
  std::uint32_t last = 0;
  for (const auto& each : asked_)
    last = std::max(last, each.line);
  std::uint32_t line = 0;
  at_ = 0;
  while (at_ < mappings_.size() && line <= last) {
    if (mappings_[at_] == ';') {
      ++line;
      ++at_;
      generated_ = 0;
    } else if (mappings_[at_] == ',') {
      ++at_;
    } else if (read_segment()) {
      offer(line);
    }
  }
  std::vector<mapped_segment> out;
  out.reserve(best_.size());
  for (const auto& each : best_)
    out.push_back(each.segment);
  return out;
}

} // namespace gasoline
