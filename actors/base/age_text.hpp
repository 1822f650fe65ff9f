#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace gasoline {

/// Reads how long ago something was: a whole number and `ms`, `s`, `m`, `min` or `h`. Nothing when
/// it is none.
std::optional<std::chrono::milliseconds> parse_age(std::string_view text);

/// The same the other way round, `350 ms`, `12 s`, `5 min`; what is still to come, as by a clock
/// that goes before ours, is `0 ms` ago.
std::string age_text(std::chrono::milliseconds age);

} // namespace gasoline
