#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// What is printed when the words of a command line name no command.
struct command_problem {
  std::string sentence; ///< names the word and the nearest command; empty: a command is missing
  std::string help;     ///< of the innermost command that was found
};

/// Follows `words`, the arguments of the program, through the commands of `app`; nothing when they
/// name a command, or begin with an option that `app` has to judge.
std::optional<command_problem> find_command_problem(const CLI::App& app,
                                                    const std::vector<std::string>& words);

/// The name that takes the fewest insertions, removals, replacements and swaps of neighbours to
/// become `word`; nothing when none is near.
std::optional<std::string> nearest_name(const std::string& word,
                                        const std::vector<std::string>& names);

} // namespace gasoline
