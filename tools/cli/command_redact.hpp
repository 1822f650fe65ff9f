#pragma once

#include "config/settings.hpp"

namespace gasoline {

/// `gasoline redact`: reads standard input, and prints it as the engine would keep it, with the
/// name of the rule in every mask; how many masks each rule has set goes to standard error. Answers
/// the exit code of the program.
int run_redact(const settings& config);

} // namespace gasoline
