#pragma once

#include "config/settings.hpp"

namespace gasoline {

/// Says on stdout what is set up and what is not: settings, port and who holds it, the running
/// engine with its clients and last events, limits. Answers the exit code: 0 when an engine runs
/// and answers, 1 when none does.
int run_doctor(const settings& config);

} // namespace gasoline
