#pragma once

#include <string>
#include <vector>

namespace gasoline {

/// The process beside `gasoline run`: reads the copy of the output from a socket at standard input,
/// finds what it says and tells the engine. `words`: name, command, state directory, configuration
/// file, token file; the last three may be empty. Answers the exit code.
int observe_command(const std::vector<std::string>& words);

} // namespace gasoline
