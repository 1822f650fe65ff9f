#pragma once

#include "config/settings.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace gasoline {

/// Makes the directory, readable by its user only. The error says what cannot be kept without it.
result_or<std::filesystem::path> make_state_directory(const std::filesystem::path& dir);

/// Why an engine must not run with this directory: somebody else may write to it, or has made it.
/// Nothing: it may, or the directory is not there yet.
std::optional<user_error> state_directory_problem(const std::filesystem::path& dir);

/// Writes the chosen port for those who look for the engine; answers whether it could.
bool write_port_file(const std::filesystem::path& dir, std::uint16_t port);

/// The port that a running engine has written, if any.
std::optional<std::uint16_t> read_port_file(const std::filesystem::path& dir);

/// Removes the port file when it still names this port.
void remove_port_file(const std::filesystem::path& dir, std::uint16_t port);

} // namespace gasoline
