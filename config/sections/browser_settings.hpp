#pragma once

#include "config/sections/origin_settings.hpp"
#include "config/values/user_error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gasoline {

/// When the engine has a browser.
enum class browser_start : std::uint8_t {
  on_demand, ///< one is launched by the first `interact`
  launch,    ///< one is launched with the engine
  attach,    ///< the user's own, which is never started or ended
  off        ///< never
};

/// The browser that the engine drives, and where `interact` may act in it.
struct browser_settings {
  browser_start start = browser_start::on_demand;
  std::filesystem::path program; ///< empty: the first that is known in PATH
  std::string address;   ///< of the user's own: http://127.0.0.1:9222; empty: it is looked for
  bool headless = false; ///< also where there is no display
  std::vector<std::string> arguments;  ///< further ones, as the browser takes them
  std::vector<origin_pattern> origins; ///< where `interact` acts besides pages of this machine
  /// Files of secrets that `interact` may fill in, by name.
  std::map<std::string, std::filesystem::path> secret_files;
  /// Where files that are uploaded come from; empty: the working directory.
  std::vector<std::filesystem::path> upload_directories;
};

/// Reads one of `on_demand`, `launch`, `attach`, `off`. `where` begins the sentence of a refusal.
result_or<browser_start> read_browser_start(std::string_view text, std::string_view where);

/// Reads `browser` of a configuration file.
result_or<std::monostate> read_browser_settings(browser_settings& into, const nlohmann::json& value,
                                                const std::string& where);

/// Reads `interact` of a configuration file.
result_or<std::monostate> read_interact_settings(browser_settings& into,
                                                 const nlohmann::json& value,
                                                 const std::string& where);

} // namespace gasoline
