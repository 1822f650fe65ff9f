#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace gasoline {

/// A header's value without spaces and tabs around it.
std::string_view trimmed(std::string_view text);

/// Calls `step` with each part of a list until it answers true; whether it did.
template <class F>
bool any_part(std::string_view list, char separator, F step) {
  while (!list.empty()) {
    const auto end = std::min(list.find(separator), list.size());
    if (step(trimmed(list.substr(0, end))))
      return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

/// What a client has sent, for an error sentence: quoted, cut, without what is not printable ASCII.
std::string shown(std::string_view text);

} // namespace gasoline
