#pragma once

#include "config/setting_values.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace gasoline {

/// Reads the value of one key of a settings file; `file` says in errors which file it is. A key
/// that no setting has is refused with the names of all that there are.
setting_outcome apply_setting(settings& s, const std::string& key, const nlohmann::json& value,
                              std::string_view file);

} // namespace gasoline
