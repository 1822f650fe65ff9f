#pragma once

#include <string>

namespace gasoline {

/// Makes text safe to show: ill-formed UTF-8 becomes U+FFFD; control characters other than tab and
/// line breaks, bidirectional formatting and U+2028/U+2029 are spelled out (`\u202e`). Everything
/// else stays.
void make_presentable(std::string& text);

} // namespace gasoline
