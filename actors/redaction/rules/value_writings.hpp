#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gasoline::redaction {

/// How pages, servers and tools write a value, each once and as it is first: percent-encoded as in
/// addresses and forms, escaped as in JSON and HTML, base64 of it alone (RFC 4648, both alphabets,
/// without padding).
std::vector<std::string> value_writings(std::string_view value);

} // namespace gasoline::redaction
