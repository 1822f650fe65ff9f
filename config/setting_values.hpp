#pragma once

#include "config/settings.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gasoline {

/// Values that several sources of settings (file, environment, command line) can give. Each
/// function checks the value and sets it; `where` says in errors where the value stands.
using setting_outcome = result_or<std::monostate>;

/// The error of a setting, with that sentence for the user.
tl::unexpected<user_error> refused_setting(std::string text);

/// `one, two, three`, for sentences that name the valid values.
std::string comma_separated(std::span<const std::string_view> names);

/// The value of a setting that is a text and not empty; `valid` says what is taken, as in "must be
/// the path of a file".
result_or<std::string> needed_text(const nlohmann::json& value, std::string_view where,
                                   std::string_view valid);

/// Sets one of the valid values.
setting_outcome set_choice(std::string& target, const std::string& value,
                           std::span<const std::string_view> valid, std::string_view where);

/// All toolsets and log levels, in the order in which errors name them.
std::span<const std::string_view> known_toolsets();
std::span<const std::string_view> known_log_levels();

/// Sets an address of the loopback interface.
setting_outcome set_host(settings& s, const std::string& value, std::string_view where);

/// Sets a port that is written as a text.
setting_outcome set_port(settings& s, const std::string& value, std::string_view where);

/// Sets the toolsets: as names, or as a text of names with commas between them.
setting_outcome set_toolsets(settings& s, const std::vector<std::string>& names,
                             std::string_view where);
setting_outcome set_toolsets(settings& s, const std::string& value, std::string_view where);

/// Sets the file that the access token is read from; the token is required then.
setting_outcome set_token_file(settings& s, const std::filesystem::path& file,
                               std::string_view where);

/// Adds origins of a text with commas or blanks between them.
setting_outcome add_origins(std::vector<origin_pattern>& list, std::string_view text,
                            std::string_view where);

} // namespace gasoline
