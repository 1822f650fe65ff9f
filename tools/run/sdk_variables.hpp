#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {

/// The port of the engine that runs with that state directory, if one does and serves HTTP.
std::optional<std::uint16_t> running_engine_port(const std::filesystem::path& state_dir);

/// The variables that make SDKs of Sentry and OpenTelemetry send to the engine at `port`, with
/// `name` as the service where the program names none.
std::vector<std::pair<std::string, std::string>> sdk_variables(std::uint16_t port,
                                                               const std::string& name);

/// Sets them for the command that this process starts. What its user has set stays, and a program
/// that already sends its traces elsewhere goes on doing so.
void set_sdk_variables(std::uint16_t port, const std::string& name);

} // namespace gasoline
