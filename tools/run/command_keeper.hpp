#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace gasoline {

/// What the keeper of a command tells, in a pipe.
struct keeper_report {
  enum class kind : int { started, not_started, changed };
  kind what = kind::started;
  int value = 0; ///< the process group; an errno; a wait status
};

/// Where the command's standard streams go.
struct command_streams {
  int input = -1;
  int output = -1;
  int error = -1;
  bool own_terminal = false; ///< they are a terminal that becomes the command's controlling one
};

/// Starts a command below a process of its own, the keeper. In a terminal of its own the keeper
/// leads the session: a job whose parent is of another session cannot be stopped by Ctrl-Z. The
/// command ends when this process does. Answers the end of the pipe with its `keeper_report`s,
/// whose end means that the keeper has ended; -1 with errno: no process could be made.
int start_kept(const std::vector<std::string>& command, const command_streams& streams);

} // namespace gasoline
