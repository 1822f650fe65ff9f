#pragma once

#include <cstddef>
#include <string_view>

namespace gasoline {

/// The index of the quote that ends the JSON string beginning with the quote at `begin`, or of the
/// end of the text.
std::size_t end_of_json_string(std::string_view text, std::size_t begin);

/// The JSON text of a string, number, `true`, `false` or `null` that the outermost object of a text
/// has under a name; empty when there is none. The text is walked once and nothing is made of it,
/// so it may be of any size and need not be valid. `name` needs no escapes.
std::string_view scalar_member(std::string_view text, std::string_view name);

} // namespace gasoline
