#pragma once

#include "config/values/user_error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

// Edits of a TOML text that change nothing but one table; comments, order and everything else stay
// byte by byte. Each refuses a text that it does not understand.

/// The lines of a table: keys and values as they are written, `command = "gasoline"`.
using toml_lines = std::vector<std::pair<std::string, std::string>>;

/// A string as TOML writes it.
std::string toml_string(std::string_view text);

/// Sets these keys in the table of that dotted name; a table that is not there is added at the end.
result_or<std::string> set_toml_table(std::string_view text, const std::string& table,
                                      const toml_lines& lines);

/// Removes that table and the tables below it.
result_or<std::string> remove_toml_table(std::string_view text, const std::string& table);

} // namespace gasoline
