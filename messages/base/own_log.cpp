#include "messages/base/own_log.hpp"

#include <spdlog/spdlog.h>

#include <array>

namespace gasoline::own_log {
namespace {

constexpr std::array levels{spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                            spdlog::level::err, spdlog::level::critical};

} // namespace

void write(severity how_bad, fmt::string_view text, fmt::format_args values) {
  const auto level = levels[static_cast<std::size_t>(how_bad)];
  // Null once the log has ended: actors may outlive it.
  if (auto* log = spdlog::default_logger_raw(); log && log->should_log(level))
    log->log(level, fmt::vformat(text, values));
}

} // namespace gasoline::own_log
