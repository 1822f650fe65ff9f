#pragma once

#include "config/values/user_error.hpp"
#include "messages/alerts/scope_change.hpp"

#include <string>
#include <string_view>

namespace gasoline {

/// The name of the file that says what a project calls its own; it lies in the project's directory.
inline constexpr std::string_view scope_file_name = ".gasoline.json";

/// Reads it; comments are allowed, other members are not looked at. The error names what is wrong
/// and what is valid.
result_or<scope_lists> parse_scope_file(std::string_view text);

/// The text with the change made; members that it does not know stay. An empty text is a new file.
/// The error says why it cannot be changed.
result_or<std::string> changed_scope_file(std::string_view text, const scope_change& change);

} // namespace gasoline
