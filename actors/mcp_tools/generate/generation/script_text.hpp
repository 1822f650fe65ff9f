#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// Whether something in the text was masked.
bool has_mask(std::string_view text);

/// A text of others as a string literal of JavaScript that is safe wherever a script may stand: in
/// a file, a template, a `<script>` of a page. `text` must be valid UTF-8.
std::string script_string(std::string_view text);

/// An expression of JavaScript for a regular expression that finds the text: what varies between
/// occurrences of a fault (`<n>`, `<id>`, `<value>`, what was redacted or spelled out) may be
/// anything there.
std::string script_text_pattern(std::string_view normalised);

/// The same for a whole path with `:id` in place of ids.
std::string script_path_pattern(std::string_view path);

} // namespace gasoline
