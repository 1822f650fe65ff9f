#pragma once

#include "config/settings.hpp"
#include "tools/setup/agent_files.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// This machine, for agents whose commands get these arguments. The error says that HOME is not
/// set.
result_or<agent_machine> this_machine(std::vector<std::string> arguments);

/// Whether one of the signs of the agent is there.
bool is_installed(const agent& a);

/// The arguments that commands of agents get so that they find the engine with these settings.
std::vector<std::string> passed_arguments(const settings_flags& flags);

} // namespace gasoline
