#pragma once

#include "config/settings.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>

namespace gasoline {

/// Asks the engine for its health document: at the attach socket, which needs neither a port nor a
/// token, else over HTTP. Waits 3 s for each at most; nothing: no engine answers.
std::optional<nlohmann::json> ask_health(const settings& config,
                                         const std::filesystem::path& socket, std::uint16_t port);

} // namespace gasoline
