#pragma once

#include "tools/setup/agent_files.hpp"

#include <string>

namespace gasoline {

/// Whether what `setup` writes is there.
enum class setup_state {
  absent,
  whole, ///< all of it, as this program would write it
  other  ///< something of ours, which differs
};

/// How an agent is set up.
struct agent_state {
  setup_state server = setup_state::absent;
  setup_state hooks = setup_state::absent;
  bool has_hooks = false; ///< the agent has hooks at all
  std::string problem;    ///< why a file of it cannot be read; empty: all can
};

/// Reads the agent's files.
agent_state state_of(const agent& a);

} // namespace gasoline
