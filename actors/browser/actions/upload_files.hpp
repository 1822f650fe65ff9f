#pragma once

#include "config/values/user_error.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace gasoline {

/// The files that a page is given, as whole paths. Each has to be a file in one of the directories
/// that the settings name, links followed, with no hidden part in its path below them; without any,
/// in the engine's working directory, unless that is the user's home or above it. The error says
/// which file is not, and what to do.
result_or<std::vector<std::string>>
uploadable_files(const std::vector<std::string>& asked,
                 const std::vector<std::filesystem::path>& directories);

} // namespace gasoline
