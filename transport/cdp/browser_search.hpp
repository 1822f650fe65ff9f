#pragma once

#include "config/sections/browser_settings.hpp"
#include "config/values/user_error.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The browser to launch: the one that the settings name, else the first that is known in `path`,
/// the value of PATH. The error names what was looked for.
result_or<std::filesystem::path> find_browser(const browser_settings& settings,
                                              std::string_view path);

/// How a browser is started.
struct browser_command {
  std::vector<std::string> words; ///< the program first
  std::string warning;            ///< empty: there is nothing to warn of
};

/// The command line of a browser that speaks over descriptors 3 and 4 and shows nobody's profile
/// but that one. `is_root`: its sandbox cannot be used; `has_display`: windows can be shown.
browser_command browser_command_of(const browser_settings& settings,
                                   const std::filesystem::path& program,
                                   const std::filesystem::path& profile, bool is_root,
                                   bool has_display);

} // namespace gasoline
