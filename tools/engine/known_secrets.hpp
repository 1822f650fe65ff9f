#pragma once

#include "actors/browser/actions/page_secret.hpp"
#include "config/settings.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// The secrets that this engine itself holds: `token` (empty: none), keys of model providers,
/// passwords and tokens of NATS servers, and what was read for webhooks and for `interact`. What
/// cannot be read is left out.
std::vector<std::string> known_secrets(const settings& config, const std::string& token,
                                       const hook_secrets& of_hooks, const page_secrets& of_pages);

/// The secrets that `interact` may fill in. What cannot be read, or is too short to be kept out of
/// what is told, is refused; the log says why as well.
page_secrets read_page_secrets(const browser_settings& config);

/// The secrets of webhooks, by the CI system's name. One that cannot be read is empty, which no
/// delivery has; the log says why.
hook_secrets read_hook_secrets(const settings& config);

} // namespace gasoline
