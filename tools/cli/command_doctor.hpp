#pragma once

#include "config/settings.hpp"

namespace gasoline {

/// Says on stdout, on one screen, what runs (settings, port and who holds it, the engine with its
/// clients and last events), what is wrong, and what to do about it. Answers the exit code: 0 when
/// an engine runs and answers, 1 when none does.
int run_doctor(const settings& config);

/// Lists every limit as `NAME = VALUE`. Answers the exit code, which is 0.
int run_doctor_limits(const settings& config);

} // namespace gasoline
