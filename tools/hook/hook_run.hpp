#pragma once

#include "config/state_location.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace gasoline {

/// `gasoline hook [--client NAME] [--event NAME] [--state-dir DIR] [--config FILE]`: reads the
/// client's document on stdin, asks the running engine, and prints the one JSON object that this
/// client and event take a text from; nothing when there is nothing to say, no engine, or a
/// document that is not understood. It answers within 300 ms and has no other exit code than 0,
/// since clients take others as an order to stop the run, drop the prompt or replace a tool's
/// result.
int run_hook(const std::vector<std::string>& arguments);

} // namespace gasoline
