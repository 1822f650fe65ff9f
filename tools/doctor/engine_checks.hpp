#pragma once

#include "config/settings.hpp"
#include "tools/doctor/diagnosis.hpp"

#include <optional>

namespace gasoline {

/// Looks at the program, the state directory, the port and the engine; answers the engine's health
/// document, or nothing when none answers.
std::optional<nlohmann::json> check_engine(const settings& config, diagnosis& out);

} // namespace gasoline
