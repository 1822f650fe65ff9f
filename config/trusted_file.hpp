#pragma once

#include "config/values/user_error.hpp"

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace gasoline {

/// Why the engine must not do what this file says, as words that go on after the file's name;
/// nothing: it may. Settings and scripts name commands, addresses and files, so they have to be of
/// the engine's user or of root, and nobody else may write to them. A group that has this user
/// alone counts as the user.
std::optional<std::string> order_problem(const struct stat& file);

/// Reads the whole of a file that orders something; links are followed, and what they lead to is
/// looked at. The error says that it cannot be read, is longer than `most_bytes`, or why it must
/// not be followed.
result_or<std::string> read_trusted_file(const std::filesystem::path& file, std::size_t most_bytes);

} // namespace gasoline
