#pragma once

#include "config/settings.hpp"

#include <filesystem>
#include <optional>

namespace gasoline {

/// Makes the directory with mode 0700 where it is absent. The error says that it cannot be
/// made. What another user puts there instead is found out by `is_own_user`.
std::optional<user_error> make_private_directory(const std::filesystem::path& dir);

} // namespace gasoline
