#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// Whether a URL may hold the character as it is or encoded, without a difference (RFC 3986,
/// section 2.3).
bool is_unreserved(char c);

/// The text as one segment of a path or a value of a query.
std::string percent_encoded(std::string_view text);

/// Undoes percent encoding; nothing when an escape is broken.
std::optional<std::string> percent_decoded(std::string_view text);

} // namespace gasoline
