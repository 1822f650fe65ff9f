#pragma once

#include <filesystem>
#include <string>

namespace gasoline {

/// Makes the default logger: asynchronous, to stderr and to `gasoline.log` in the state directory
/// (not when that is empty).
/// It drops lines rather than block, and never touches stdout.
void start_logging(const std::string& level, const std::filesystem::path& state_dir);

/// Writes what is queued and ends the logger's thread.
void stop_logging();

/// One sentence for the user from a process that has no logger, if somebody reads stderr.
void say_on_stderr(const std::string& sentence);

} // namespace gasoline
