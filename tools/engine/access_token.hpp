#pragma once

#include "config/settings.hpp"

#include <filesystem>
#include <string>

namespace gasoline {

/// Reads a token: the one line of a file that the user has named. The error says that the file is
/// unreadable, empty, of another user, open to others, or holds what cannot stand in a header.
result_or<std::string> read_token_file(const std::filesystem::path& file);

/// Where the token is: `--token-file`, else `token` in the state directory.
std::filesystem::path token_path(const settings& config);

/// The token of these settings. The state directory's own is no link.
result_or<std::string> read_token(const settings& config);

/// The same for an engine; the state directory's own is made (0600, 32 random bytes) when it
/// is not there yet.
result_or<std::string> load_token(const settings& config);

} // namespace gasoline
