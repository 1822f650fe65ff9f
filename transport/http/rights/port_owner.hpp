#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace gasoline {

/// The process that listens on a TCP port of this machine.
struct port_owner {
  std::uint32_t pid = 0;
  std::string program; ///< short name as the kernel tells it, printable ASCII
};

/// Finds who listens on `port`, on whichever address. Nothing when nobody does or when the owner
/// belongs to another user. `proc` is where the process file system is mounted.
std::optional<port_owner> find_port_owner(std::uint16_t port,
                                          const std::filesystem::path& proc = "/proc");

} // namespace gasoline
