#pragma once

#include "config/origin_settings.hpp"
#include "config/user_error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gasoline {

/// When the engine has a browser.
enum class browser_start : std::uint8_t {
  on_demand, ///< one is launched by the first `interact`
  launch,    ///< one is launched with the engine
  off        ///< never
};

/// The browser that the engine drives, and where `interact` may act in it.
struct browser_settings {
  browser_start start = browser_start::on_demand;
  std::filesystem::path program;       ///< empty: the first that is known in PATH
  bool headless = false;               ///< also where there is no display
  std::vector<std::string> arguments;  ///< further ones, as the browser takes them
  std::vector<origin_pattern> origins; ///< where `interact` acts besides pages of this machine
};

/// Reads one of `on_demand`, `launch`, `off`. `where` begins the sentence of a refusal.
result_or<browser_start> read_browser_start(std::string_view text, std::string_view where);

/// Reads `browser` of a configuration file.
result_or<std::monostate> read_browser_settings(browser_settings& into, const nlohmann::json& value,
                                                const std::string& where);

/// Reads `interact` of a configuration file.
result_or<std::monostate> read_interact_settings(browser_settings& into,
                                                 const nlohmann::json& value,
                                                 const std::string& where);

} // namespace gasoline
