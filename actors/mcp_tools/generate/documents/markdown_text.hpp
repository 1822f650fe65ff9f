#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// A text of others within a line of Markdown: as code, which nothing in it can end; line breaks
/// become blanks.
std::string markdown_span(std::string_view text);

/// The same on lines of its own.
std::string markdown_block(std::string_view text);

} // namespace gasoline
