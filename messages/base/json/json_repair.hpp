#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// Makes text that browsers really send acceptable to a strict JSON parser: ill-formed UTF-8 and
/// lone `\u` surrogates become U+FFFD, a byte order mark is dropped, and numbers that no double or
/// 64-bit integer can hold become strings of their digits. Text that is no JSON for another reason
/// stays no JSON. Linear in the input; keeps everything else.
std::string repaired_json(std::string_view text);

} // namespace gasoline
