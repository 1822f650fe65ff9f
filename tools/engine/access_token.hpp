#pragma once

#include "config/settings.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace gasoline {

/// What the one line of a file is for, in the words of the sentences about it.
struct secret_use {
  std::string_view file;    ///< what the file is: `token file`
  std::string_view secret;  ///< what it holds: `token`
  std::string_view setting; ///< where the user names it: `--token-file`
};

inline constexpr secret_use access_token_use{"token file", "token", "--token-file"};
inline constexpr secret_use hook_secret_use{"secret file", "secret of a webhook",
                                            "ci_secret_files"};
inline constexpr secret_use page_secret_use{"secret file", "secret", "interact.secrets"};
inline constexpr secret_use model_key_use{"key file", "key", "key_file"};

/// Reads a secret: the one line of a file that the user has named. The error says that the file is
/// unreadable, empty, of another user, open to others, or holds what cannot stand in a header.
result_or<std::string> read_secret_file(const std::filesystem::path& file, const secret_use& use);

/// Where the token is: `--token-file`, else `token` in the state directory.
std::filesystem::path token_path(const settings& config);

/// The token of these settings. The state directory's own is no link.
result_or<std::string> read_token(const settings& config);

/// The same for an engine; the state directory's own is made (0600, 32 random bytes) when it
/// is not there yet.
result_or<std::string> load_token(const settings& config);

} // namespace gasoline
