#pragma once

#include <string_view>

namespace gasoline {

/// Whether an event may have a member whose name ends so, with the quote and the colon behind it
/// (`ze":`); false is certain. For names that few events have: to read all members takes ten times
/// as long as to search for a letter that is rare, with which the ending is to begin.
inline bool may_have_field(std::string_view fields, std::string_view ending) {
  return fields.find(ending) != std::string_view::npos;
}

} // namespace gasoline
