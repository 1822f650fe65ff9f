#pragma once

#include "actors/mcp_tools/analyze/faults/fault_diff.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gasoline {

/// How many of the faults have that fate.
std::size_t faults_of(const std::vector<judged_fault>& faults, fault_fate fate);

/// The answer to "is it fixed?" in one sentence. `since` names the moment that is compared with.
std::string diff_verdict(const std::vector<judged_fault>& faults, const std::string& since);

} // namespace gasoline
