#pragma once

#include "config/values/user_error.hpp"
#include "messages/base/file_descriptor.hpp"

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// The mode of every file that the engine makes: they hold or guard secrets.
inline constexpr mode_t user_only = 0600;

/// Why a file must not be taken for one of the engine's own, as words that go on after its name;
/// nothing: it is a regular file of this user or of root.
std::optional<std::string> ownership_problem(const struct stat& file);

/// Why a file must not hold a secret: the same, and that group or others have a right to it.
std::optional<std::string> secrecy_problem(const struct stat& file);

/// Opens a file in a directory of the engine's own. `flags` are those of `open`; with O_CREAT it is
/// made for this user alone. A link is not followed, and what is no regular file of this user's is
/// refused; a file that is opened for writing becomes the user's alone.
result_or<file_descriptor> open_own_file(const std::filesystem::path& file, int flags);

/// What stands in such a file; nothing when it is absent, refused, or longer than `most_bytes`.
std::optional<std::string> read_own_file(const std::filesystem::path& file, std::size_t most_bytes);

/// Writes the whole text, whatever the descriptor takes at a time; false, with `errno`, when it
/// takes no more.
bool write_all(int descriptor, std::string_view text);

/// Puts a file of that text in the place of whatever has the name: it is written under a name of
/// chance beside it and renamed, so that nobody reads half of it and no link is followed.
std::optional<user_error> replace_file(const std::filesystem::path& file, std::string_view text,
                                       mode_t mode = user_only);

/// Why nothing may be kept in this directory, as words that go on after its name; nothing: it is
/// this user's, nobody else may write to it, and it was not reached by a link of somebody else.
std::optional<std::string> directory_problem(const std::filesystem::path& dir);

/// Makes the directory, and those above it, for this user alone. One that is there already has to
/// be a directory, no link, of this user's, to which nobody else has any right.
std::optional<user_error> make_private_directory(const std::filesystem::path& dir);

} // namespace gasoline
