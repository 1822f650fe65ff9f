#pragma once

#include "config/settings.hpp"

namespace gasoline {

/// `gasoline open`: prints a link that opens the engine's own page in a browser, once. Answers the
/// exit code of the program.
int run_open(const settings& config);

} // namespace gasoline
