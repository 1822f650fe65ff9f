#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// The longest run of bytes from `i` on that can belong to a number of JSON.
std::string_view number_token(std::string_view text, std::size_t i);

/// Whether a number can begin with that byte.
bool starts_number(char c);

/// Appends a number as parsers keep it: one that neither a double nor 64 bits hold as a string of
/// its digits, and `-0` as `-0.0`, which keeps its sign. What is no number stays as it is.
void append_exact_number(std::string& out, std::string_view token);

/// The text with such numbers where they are nested at least `least_depth` deep (1: in the
/// outermost object or list); nothing when all is well, as it nearly always is. For text that a
/// parser would round without a word, or refuse as a whole. Linear in the input.
std::optional<std::string> with_exact_numbers(std::string_view text, std::size_t least_depth);

} // namespace gasoline
