#pragma once

#include "config/settings.hpp"
#include "tools/terminal/tail_format.hpp"

#include <string>

namespace gasoline {

/// `gasoline tail stream NAME`: prints the events of a stream of type sse, or the alerts, as they
/// come. When the engine goes away it waits for it and goes on behind the last event it has seen.
/// Ends when nobody reads its output. Answers the exit code of the program.
int run_tail(const settings& config, const std::string& stream, const std::string& topic,
             tail_format format);

} // namespace gasoline
