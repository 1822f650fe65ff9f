#pragma once

#include "config/settings.hpp"
#include "messages/base/file_descriptor.hpp"

#include <sys/types.h>

#include <string>
#include <vector>

namespace gasoline {

/// A running `/bin/sh -c`. Whoever has it ends its group and waits for it (`reap`).
struct shell_process {
  pid_t pid = 0;          ///< also of its process group and session
  file_descriptor output; ///< the reading end of stdout and stderr; does not block
};

/// Starts a command in a directory: in a session and process group of its own, with nothing on
/// stdin, no descriptor of ours, default signals, and only harmless variables of the environment.
result_or<shell_process> start_shell(const std::string& command, const std::string& directory);

/// The variables that commands get, as `NAME=value`: those that say where and in which language,
/// never those that may hold a secret.
std::vector<std::string> shell_environment();

/// Sends a signal to the whole group. `pid` must not have been reaped.
void signal_group(pid_t pid, int signal);

/// Waits until the process has ended, without reaping it: its number, and with it that of its
/// group, stays taken. Answers how it ended, as a sentence; empty: with exit code 0.
std::string wait_for_end(pid_t pid);

/// Kills what is left of the group and gives its number back.
void reap(pid_t pid);

} // namespace gasoline
