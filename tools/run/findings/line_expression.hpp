#pragma once

#include <re2/re2.h>

#include <memory>
#include <string_view>

namespace gasoline {

/// An expression over lines of output, which are bytes; null: there is none.
using line_expression = std::unique_ptr<RE2>;

/// Lines are bytes, whatever their encoding.
RE2::Options line_options();

/// Compiles an expression of the tables; an empty one is none.
line_expression compiled_line(const char* expression);

/// Whether a line holds it; never, if there is none.
bool found_in(const line_expression& expression, std::string_view line);

/// The line without blanks before it.
std::string_view without_indent(std::string_view line);

} // namespace gasoline
