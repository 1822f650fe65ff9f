#pragma once

#include "config/settings.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// The secrets that this engine itself holds: `token` (empty: none), keys of model providers,
/// passwords and tokens of NATS servers. What cannot be read is left out.
std::vector<std::string> known_secrets(const settings& config, const std::string& token);

} // namespace gasoline
