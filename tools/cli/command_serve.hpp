#pragma once

#include "config/settings.hpp"

namespace gasoline {

/// `gasoline serve`: the engine as a daemon, until it is told to end. Refuses to start beside
/// another engine of the same state directory. Answers the exit code.
int run_serve(const settings& config);

} // namespace gasoline
