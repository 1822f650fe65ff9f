#pragma once

#include "config/settings.hpp"
#include "messages/agents/model_call.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// What a step of a scripted answer tells.
enum class script_step_kind : std::uint8_t { pause, text, thinking, tool_use, event };

/// One step of a scripted answer.
struct script_step {
  script_step_kind kind = script_step_kind::pause;
  std::uint64_t delay_ms = 0; ///< before the step
  std::string text;           ///< of text and thinking
  std::optional<std::string> signature;
  std::string name;        ///< of a tool, or the type of an event
  std::string tool_use_id; ///< empty: the provider makes one
  nlohmann::json input;    ///< of a tool; the payload of an event
};

/// One scripted answer of a model.
struct scripted_call {
  std::vector<script_step> steps;
  std::string stop_reason; ///< empty: `tool_use` when there is such a step, else `end_turn`
  token_usage usage;
  std::optional<call_failure> error; ///< how the call ends after its steps; empty: well
};

/// The script of a `scripted` session:
/// `{"calls":[{"steps":[…],"stop_reason","usage"},{"error":{"status","retry_after_ms","message"}}]}`.
struct model_script {
  std::vector<scripted_call> calls; ///< one for each model call of the session
};

/// Reads a script. Everything is checked; the error names the call and the step.
result_or<model_script> read_model_script(const nlohmann::json& document);

} // namespace gasoline
