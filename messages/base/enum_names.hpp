#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {

/// The one table of an enum's names on the wire. Specialised next to each enum as
/// `enum_table<E>::rows`, an array of (value, name) pairs in the order they are shown to users.
template <class E>
struct enum_table;

/// The wire name of `value`.
template <class E>
constexpr std::string_view name_of(E value) {
  for (const auto& [v, name] : enum_table<E>::rows)
    if (v == value)
      return name;
  return "unknown";
}

/// The value with that wire name, or nothing.
template <class E>
constexpr std::optional<E> parse_name(std::string_view name) {
  for (const auto& [v, n] : enum_table<E>::rows)
    if (n == name)
      return v;
  return std::nullopt;
}

/// All wire names, comma-separated, for error sentences.
template <class E>
std::string all_names() {
  std::string out;
  for (const auto& row : enum_table<E>::rows) {
    if (!out.empty())
      out += ", ";
    out += row.second;
  }
  return out;
}

} // namespace gasoline
