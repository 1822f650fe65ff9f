#pragma once

#include "config/settings.hpp"

#include <filesystem>
#include <string>

namespace gasoline {

/// Reads a token: the file's one line. The error says that the file is unreadable, empty, readable
/// by everyone, or holds what cannot stand in a header.
result_or<std::string> read_token_file(const std::filesystem::path& file);

/// Where the token is: `--token-file`, else `token` in the state directory.
std::filesystem::path token_path(const settings& config);

/// The token of these settings; the state directory's own is made (0600, 32 random bytes) when it
/// is not there yet.
result_or<std::string> load_token(const settings& config);

} // namespace gasoline
