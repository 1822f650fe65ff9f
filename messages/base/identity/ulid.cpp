#include "messages/base/identity/ulid.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace gasoline {
namespace {

constexpr std::string_view alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::size_t ulid_characters = 26;
constexpr std::size_t time_characters = 10;
constexpr std::size_t high_characters = 4; // 20 bits: `high` and the upper 4 bits of `low`
constexpr std::uint64_t time_mask = (1ULL << 48) - 1;

std::optional<std::uint64_t> digit(char c) {
  const auto at = alphabet.find(c);
  return at == std::string_view::npos ? std::nullopt : std::optional<std::uint64_t>{at};
}

std::optional<std::uint64_t> read(std::string_view text) {
  std::uint64_t value = 0;
  for (const char c : text) {
    const auto d = digit(c);
    if (!d)
      return std::nullopt;
    value = (value << 5) | *d;
  }
  return value;
}

void append(std::string& out, std::uint64_t value, std::size_t characters) {
  for (auto i = characters; i-- > 0;)
    out += alphabet[(value >> (5 * i)) & 31U];
}

/// The 26 characters after the prefix; empty when there is no prefix of ours.
std::string_view body_of(std::string_view id) {
  for (const auto& [kind, prefix] : enum_table<id_kind>::rows)
    if (id.substr(0, prefix.size()) == prefix)
      return id.substr(prefix.size());
  return {};
}

bool is_ulid(std::string_view body) {
  // The first character holds 3 of the 48 + 2 bits; above 7 the time would not fit.
  return body.size() == ulid_characters && body.front() <= '7' &&
         std::all_of(body.begin(), body.end(), [](char c) { return digit(c).has_value(); });
}

} // namespace

void ulid_source::step() {
  if (low_ != std::numeric_limits<std::uint64_t>::max()) {
    ++low_;
    return;
  }
  low_ = 0;
  if (++high_ == 0)
    ++milliseconds_;
}

std::string ulid_source::next(id_kind kind, wall_time now) {
  const auto since_epoch = std::max<std::int64_t>(now.time_since_epoch().count(), 0);
  const auto milliseconds = static_cast<std::uint64_t>(since_epoch) & time_mask;
  if (milliseconds > milliseconds_) {
    milliseconds_ = milliseconds;
    // The top bit stays free, so that steps within one millisecond do not spill into the next.
    high_ = static_cast<std::uint16_t>(random_() & 0x7FFFU);
    low_ = random_();
  } else {
    step();
  }
  std::string id{name_of(kind)};
  append(id, milliseconds_, time_characters);
  append(id, (static_cast<std::uint64_t>(high_) << 4) | (low_ >> 60), high_characters);
  append(id, low_, ulid_characters - time_characters - high_characters);
  return id;
}

void ulid_source::raise_floor(std::string_view id) {
  const auto body = body_of(id);
  if (!is_ulid(body))
    return;
  const auto milliseconds = *read(body.substr(0, time_characters));
  const auto upper = *read(body.substr(time_characters, high_characters));
  const auto lower = *read(body.substr(time_characters + high_characters));
  const auto high = static_cast<std::uint16_t>(upper >> 4);
  const auto low = (upper << 60) | lower;
  if (std::tie(milliseconds, high, low) <= std::tie(milliseconds_, high_, low_))
    return;
  milliseconds_ = milliseconds;
  high_ = high;
  low_ = low;
}

bool is_id(id_kind kind, std::string_view text) {
  const auto prefix = name_of(kind);
  return text.substr(0, prefix.size()) == prefix && is_ulid(text.substr(prefix.size()));
}

std::string first_id_at(id_kind kind, wall_time at) {
  const auto since_epoch = std::max<std::int64_t>(at.time_since_epoch().count(), 0);
  std::string id{name_of(kind)};
  append(id, static_cast<std::uint64_t>(since_epoch) & time_mask, time_characters);
  id.append(ulid_characters - time_characters, alphabet.front());
  return id;
}

std::optional<wall_time> time_of_id(std::string_view id) {
  const auto body = body_of(id);
  if (!is_ulid(body))
    return std::nullopt;
  const auto milliseconds = *read(body.substr(0, time_characters));
  return wall_time{std::chrono::milliseconds{static_cast<std::int64_t>(milliseconds)}};
}

} // namespace gasoline
