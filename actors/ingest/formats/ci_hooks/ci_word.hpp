#pragma once

#include "messages/telemetry/event.hpp"

#include <optional>
#include <string_view>

namespace gasoline {

/// What a CI system's word for a result or state means, without regard to case, blanks, `-` and
/// `_`: `timed_out`, `TIMED OUT` and `timedOut` are one. A word that is not known is
/// `ci_status::unknown`; nothing when the text holds no letter, so that it is no word at all.
std::optional<ci_status> ci_status_of(std::string_view word);

} // namespace gasoline
