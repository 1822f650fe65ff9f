#pragma once

#include "config/state_location.hpp"

#include <filesystem>
#include <string>

namespace gasoline {

/// The variables that say where the engine keeps its state, from the process environment. For the
/// small program, which has no place for the loader of all settings.
environment state_environment();

/// The state directory as the settings' loader would choose it: `state_dir` (a flag; may be empty),
/// GASOLINE_STATE_DIR, the configuration file (`config_file`, GASOLINE_CONFIG, the usual one), the
/// usual directory. A file that cannot be read names none.
std::filesystem::path chosen_state_directory(const std::string& state_dir,
                                             const std::string& config_file,
                                             const environment& env);

} // namespace gasoline
