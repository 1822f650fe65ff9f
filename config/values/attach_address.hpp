#pragma once

#include <cstddef>
#include <filesystem>

namespace gasoline {

/// The longest path that a Unix domain socket can have, in bytes.
inline constexpr std::size_t socket_path_bytes = 107;

/// Where the engine of that state directory takes further clients:
/// in `runtime_dir`, or in the state directory when that is empty. A path that is too long for a
/// socket is replaced by a hashed one below /tmp, in a folder of the user's own. Two spellings of
/// one state directory have one socket.
std::filesystem::path attach_socket_path(const std::filesystem::path& state_dir,
                                         const std::filesystem::path& runtime_dir);

} // namespace gasoline
