#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace gasoline {

/// The text of a regular file of at most `most` bytes that belongs to the user of this process or
/// to root; nothing: there is none, or it is another thing. Never waits, not for a pipe either.
std::optional<std::string> read_small_file(const std::filesystem::path& file, std::size_t most);

} // namespace gasoline
