#pragma once

#include "tools/setup/json_edit.hpp"
#include "tools/setup/toml_edit.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gasoline {

/// What is known of the machine that agents are set up on.
struct agent_machine {
  std::filesystem::path home;
  std::filesystem::path config_home;  ///< XDG_CONFIG_HOME, else `.config` in the home
  std::filesystem::path program;      ///< this `gasoline`
  std::vector<std::string> arguments; ///< that its commands get: `--state-dir`, …
};

/// A member of a JSON file.
struct wanted_member {
  json_path path;
  ordered_json value;
};

/// An element of an array in a JSON file; ours are those that name one of our commands or equal it.
struct wanted_element {
  json_path path;
  ordered_json value;
};

/// A table of a TOML file.
struct wanted_table {
  std::string name;
  toml_lines lines;
};

using wanted_entry = std::variant<wanted_member, wanted_element, wanted_table>;

/// What one file of an agent has to hold.
struct wanted_file {
  std::filesystem::path path;
  std::vector<wanted_entry> entries; ///< empty: the whole file is ours
  std::string content;               ///< of a file that is ours
  bool executable = false;
  std::filesystem::path below{}; ///< folders down from here are made for it; empty: none
};

/// An agent that can be set up.
struct agent {
  std::string_view name;
  std::string_view title;
  std::vector<std::filesystem::path> signs; ///< one of them exists where it is installed
  std::vector<wanted_file> files;
  std::string_view note; ///< what its user has to do or to know; may be empty
};

/// All agents, with what they need on that machine.
std::vector<agent> known_agents(const agent_machine& machine);

/// Whether the path is one below the directory, by their names alone.
bool lies_below(const std::filesystem::path& file, const std::filesystem::path& directory);

/// Whether the element, or a string in it, is a hook command of this program.
bool is_own_hook(const ordered_json& element);

} // namespace gasoline
