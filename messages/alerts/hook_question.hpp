#pragma once

#include "messages/base/identity/agent_place.hpp"
#include "messages/base/identity/reader_id.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {

/// What a hook of an agent asks: what this conversation has not seen.
struct hook_question {
  std::string agent;        ///< its name: `claude`, `codex`, …
  std::string conversation; ///< the agent's id of it; empty: not known
  agent_place place;
  bool begins = false;       ///< the conversation has just begun
  bool compacted = false;    ///< the agent has summed up what it knew and forgotten the rest
  bool only_listens = false; ///< the moment takes no text; the engine only takes note of it
  bool errors_only = false;  ///< the run would end, and text makes it go on
};

/// What the hook says; empty text: nothing.
struct hook_answer {
  std::string text;
  reader_id reader = 0;
  std::vector<std::uint64_t> told; ///< ids of the alerts in the text
};

} // namespace gasoline
