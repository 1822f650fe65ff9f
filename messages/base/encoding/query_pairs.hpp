#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// One `name=value` of a query or a form, as it is written: percent-encoded, blanks as `+`.
struct query_pair {
  std::string_view name;
  std::string_view value; ///< empty, too, where no `=` stands
};

/// Takes the first pair that is not empty off a query or a form; nothing: there is none left.
std::optional<query_pair> take_query_pair(std::string_view& rest);

/// A name or value with its blanks, still percent-encoded.
std::string with_blanks(std::string_view written);

} // namespace gasoline
