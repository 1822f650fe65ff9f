#pragma once

#include "config/settings.hpp"

#include <filesystem>
#include <string>

namespace gasoline {

/// The value of a variable; empty: it is not set.
std::string lookup(const environment& env, const std::string& name);

/// A folder of the XDG specification: the variable `xdg`, else `below_home` in HOME, else the
/// folder for temporary files.
std::filesystem::path base_directory(const environment& env, const char* xdg,
                                     const char* below_home);

/// The state directory where nothing names another.
std::filesystem::path usual_state_directory(const environment& env);

/// The configuration file where nothing names another.
std::filesystem::path usual_config_file(const environment& env);

/// The attach socket of the engine with that state directory. A state directory that is not the
/// usual one keeps its socket inside.
std::filesystem::path attach_socket_of(const std::filesystem::path& state_dir,
                                       const environment& env);

} // namespace gasoline
