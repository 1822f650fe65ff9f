#pragma once

#include <vector>

namespace gasoline {

/// The signals that ask a program to end (SIGINT, SIGTERM, SIGHUP), but for those that are ignored:
/// whoever starts a program with `nohup`, or in the background of a script, wants it to go on.
/// Asked before a handler is installed.
std::vector<int> ending_signals();

} // namespace gasoline
