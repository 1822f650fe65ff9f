#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {

/// One process of this machine; the start time tells it from a later one with the same number.
struct process_key {
  std::int64_t pid = 0;
  std::uint64_t started = 0; ///< in clock ticks since the machine's start

  friend bool operator==(const process_key& a, const process_key& b) = default;
};

/// Which agent started a process, and where that process works.
struct agent_place {
  std::vector<process_key> processes; ///< of the agent, the nearest first; empty: not known
  std::string directory;              ///< absolute; empty: not known
  bool channel = false; ///< the agent takes what is pushed into its conversation (`--channel`)
};

} // namespace gasoline
