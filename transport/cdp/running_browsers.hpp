#pragma once

#include "config/sections/browser_settings.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Where a browser of this machine may listen.
struct browser_door {
  std::string host; ///< a loopback address: 127.0.0.1 or ::1
  std::uint16_t port = 0;
  std::string path; ///< of its WebSocket; empty: it says so at /json/version
};

/// Where the browsers of this user may listen, the likeliest first: the address of the settings
/// alone, where there is one; else what the profiles of known browsers below `config` (such as
/// ~/.config) and `home` say, the newest first, and port 9222. A profile may be of a browser that
/// has crashed.
std::vector<browser_door> browser_doors(const browser_settings& settings,
                                        const std::filesystem::path& config,
                                        const std::filesystem::path& home);

/// Reads a `DevToolsActivePort`: the port, and the path on the next line. Port 0: it is none.
browser_door read_door(std::string_view text);

} // namespace gasoline
