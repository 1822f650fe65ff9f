/// The engine's own log, for people who look after it: its file and stderr, of which
/// tools/engine/process/logging.hpp decides. Nothing that others say is in it unless it is
/// redacted.
#pragma once

#include <fmt/core.h>

#include <cstdint>

namespace gasoline::own_log {

enum class severity : std::uint8_t { debug, info, warn, error, critical };

/// Writes the line if the log wants that severity. Formatting is here, once for the program:
/// spdlog's templates put 65 KB of it into each file that logs.
void write(severity how_bad, fmt::string_view text, fmt::format_args values);

template <class... Values>
void debug(fmt::format_string<Values...> text, Values&&... values) {
  write(severity::debug, text, fmt::make_format_args(values...));
}

template <class... Values>
void info(fmt::format_string<Values...> text, Values&&... values) {
  write(severity::info, text, fmt::make_format_args(values...));
}

template <class... Values>
void warn(fmt::format_string<Values...> text, Values&&... values) {
  write(severity::warn, text, fmt::make_format_args(values...));
}

template <class... Values>
void error(fmt::format_string<Values...> text, Values&&... values) {
  write(severity::error, text, fmt::make_format_args(values...));
}

template <class... Values>
void critical(fmt::format_string<Values...> text, Values&&... values) {
  write(severity::critical, text, fmt::make_format_args(values...));
}

} // namespace gasoline::own_log
