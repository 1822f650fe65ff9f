#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// What `gasoline run` was told. Empty text: not given.
struct run_options {
  std::string name; ///< what the engine calls this source; empty: made of the command's words
  std::vector<std::string> command; ///< the program and its arguments, not empty
  std::string state_dir;
  std::string config_file;
  std::string token_file;
};

/// Reads the words after `run`: options, `--`, the command. Nothing: they are not all known here,
/// so the full command line parser has to explain what is wrong, or print its help.
std::optional<run_options> read_run_options(const std::vector<std::string>& words);

/// The name of a source: the one that was given, else the first words of the command, with what has
/// no place in a host name replaced by `-`. Never empty, at most 40 bytes.
std::string run_name(const run_options& options);

} // namespace gasoline
