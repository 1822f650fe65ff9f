#pragma once

#include "config/values/user_error.hpp"
#include "messages/base/file_descriptor.hpp"

#include <sys/types.h>

#include <string>
#include <vector>

namespace gasoline {

/// A browser that was started, in a session of its own with all its processes.
struct browser_process {
  pid_t pid = -1;
  file_descriptor commands; ///< written by us; its end ends the browser
  file_descriptor messages; ///< read by us; neither blocks
};

/// Starts it with its descriptors 3 and 4 at these pipes, its output nowhere. The error says why
/// not.
result_or<browser_process> start_browser(const std::vector<std::string>& words);

/// Kills it with all its processes. It has to be reaped afterwards.
void kill_browser(pid_t pid);

/// Whether it has ended; then it is reaped, and its number means nothing any more.
bool has_ended(pid_t pid);

} // namespace gasoline
