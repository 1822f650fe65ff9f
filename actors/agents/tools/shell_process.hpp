#pragma once

#include "config/settings.hpp"
#include "messages/base/file_descriptor.hpp"

#include <sys/types.h>

#include <string>
#include <vector>

namespace gasoline {

/// A running `/bin/sh -c` below its supervisor, a process of this program (`supervise_command`)
/// that ends what the command leaves behind. Whoever has it waits for it (`reap`).
struct shell_process {
  pid_t pid = 0;            ///< of the supervisor
  file_descriptor output;   ///< the reading end of stdout and stderr; does not block
  file_descriptor lifeline; ///< everything below the supervisor is killed when this is closed
};

/// Starts a command in a directory: in a session and process group of its own, with nothing on
/// stdin, no descriptor of ours, default signals, and only harmless variables of the environment.
result_or<shell_process> start_shell(const std::string& command, const std::string& directory);

/// The variables that commands get, as `NAME=value`: those that say where and in which language,
/// never those that may hold a secret.
std::vector<std::string> shell_environment();

/// Asks the command's group to end (SIGTERM). `pid` must not have been reaped.
void ask_to_end(pid_t pid);

/// Kills the command and everything that it has started. `pid` must not have been reaped.
void kill_tree(pid_t pid);

/// Waits until the command has ended, and everything that it has started, without reaping the
/// supervisor: its number stays taken. Answers how the command ended, as a sentence; empty: with
/// exit code 0.
std::string wait_for_end(pid_t pid);

/// Gives the number of a supervisor that has ended back.
void reap(pid_t pid);

} // namespace gasoline
