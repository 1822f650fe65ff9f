#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace gasoline {

/// The text of a regular file of at most `most` bytes that belongs to the user of this process or
/// to root; nothing: there is none, or it is another thing. Never waits, not for a pipe either.
std::optional<std::string> read_small_file(const std::filesystem::path& file, std::size_t most);

/// The end of such a file, of whatever size.
struct file_ending {
  std::string text;            ///< at most what was asked for; the first line may be cut
  std::int64_t changed_ms = 0; ///< when the file was written last, since 1970
  bool whole = false;          ///< the text is all there is
};

/// The last `most` bytes of a regular file of any size, under the same conditions.
std::optional<file_ending> read_file_ending(const std::filesystem::path& file, std::size_t most);

} // namespace gasoline
