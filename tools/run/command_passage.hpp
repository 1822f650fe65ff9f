#pragma once

#include "tools/run/run_options.hpp"

namespace gasoline {

/// `gasoline run`: runs the command as if it had been started bare, in a terminal of its own when
/// our output is one, and hands a copy of its output to the observer. Answers the exit code: the
/// command's own, 128 + n when signal n ended it, 127 or 126 when it could not be started.
int run_command(const run_options& options);

} // namespace gasoline
