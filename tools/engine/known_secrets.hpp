#pragma once

#include "config/settings.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// The secrets that this engine itself holds: `token` (empty: none), keys of model providers,
/// passwords and tokens of NATS servers. What cannot be read is left out.
std::vector<std::string> known_secrets(const settings& config, const std::string& token);

/// The secrets of webhooks, by the CI system's name. One that cannot be read is empty, which no
/// delivery has; the log says why.
hook_secrets read_hook_secrets(const settings& config);

} // namespace gasoline
