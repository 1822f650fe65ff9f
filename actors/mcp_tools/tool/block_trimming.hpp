#pragma once

#include <string>
#include <string_view>

namespace gasoline {

/// A block of alerts in which those that the answer itself tells of keep only what names them:
/// severity, category, title, time, source, id, count.
std::string without_repeats(const std::string& block, std::string_view answer);

} // namespace gasoline
