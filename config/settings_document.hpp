#pragma once

#include "config/values/user_error.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace gasoline {

/// Reads the text of a settings file: one JSON object, with comments. Refuses keys that an object
/// has twice, since one of them would be ignored, and what nests deeper than any setting;
/// `file_name` says in errors which file it was.
result_or<nlohmann::json> read_settings_document(std::string_view text, std::string_view file_name);

} // namespace gasoline
