#pragma once

#include "tools/doctor/diagnosis.hpp"
#include "tools/setup/agent_files.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// Looks at the agents of this machine: whether their server entry and hooks are there and as this
/// program would write them, whether Codex trusts them, and, by the engine's health document, when
/// they fired last. `arguments` are those that the agents' commands should have.
void check_agents(const std::vector<std::string>& arguments,
                  const std::optional<nlohmann::json>& health, diagnosis& out);

} // namespace gasoline
