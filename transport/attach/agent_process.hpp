#pragma once

#include "messages/base/identity/agent_place.hpp"

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// A process above another one.
struct process_ancestor {
  process_key key;
  std::string name; ///< as the kernel shows it, at most 15 bytes
};

/// The processes above `pid`, the nearest first, as far as they can be seen; bounded.
std::vector<process_ancestor> ancestors_of(pid_t pid);

/// Those of them that belong to the agent: shells and package runners between it and the process
/// are skipped, and the next shell above it is the user's. The first process of the machine counts
/// only when it is the nearest.
std::vector<process_key> agent_processes(const std::vector<process_ancestor>& ancestors);

/// Where a process of this user was started from; `directory` is its working directory.
agent_place place_of(pid_t pid, std::string directory);

/// The process at the other end of a Unix domain socket; nothing: it is in another name space.
std::optional<pid_t> peer_process(int socket);

} // namespace gasoline
