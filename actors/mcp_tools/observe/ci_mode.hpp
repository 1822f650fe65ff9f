#pragma once

#include "actors/mcp_tools/observe/answer/observe_call.hpp"
#include "actors/mcp_tools/tool/tool.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace gasoline {

/// `observe {what:"ci"}`: the last CI results, newest first.
tool_mode ci_mode(const limits_of<client_room, result_room>& limit);

/// How its sentences name what it shows.
inline constexpr observe_subject ci_subject{
    "ci", "CI result", "CI results", "POST one to /ci-result, with status and source as JSON."};

/// The answer out of the CI monitor's list; the cursor counts results from the newest.
std::string ci_answer(const observe_call& call, const nlohmann::json& results);

} // namespace gasoline
