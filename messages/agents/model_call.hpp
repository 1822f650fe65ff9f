#pragma once

#include "messages/agents/session_message.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// A tool as a model sees it.
struct model_tool {
  std::string name;
  std::string description;
  nlohmann::json input_schema;
};

/// One request to a model.
struct model_call {
  agent_session_id session_id;
  std::uint64_t call_index = 0; ///< calls of this session so far; the `scripted` provider plays
                                ///< that element of its script
  std::string model;            ///< without the provider's name
  shared_text system_prompt;
  std::vector<session_message_ptr> messages; ///< oldest first, the whole conversation
  std::vector<model_tool> tools;
  shared_text script; ///< of the `scripted` provider; empty: none
};

using model_call_ptr = std::shared_ptr<const model_call>;

/// What a provider can tell while a model answers.
enum class chunk_kind : std::uint8_t {
  start,          ///< the answer begins; sent once, before any other kind but `failed`
  text,           ///< `text` in block `block_index`
  thinking,       ///< `text`, and `signature` with the last of the block
  tool_use_start, ///< `tool_use_id` and `tool_name`
  tool_use_input, ///< `text` holds a fragment of the input's JSON
  tool_use_end,   ///< the input is complete
  usage,          ///< `usage` so far, of an answer that may not come to its end
  foreign,  ///< an event outside the catalog (`scripted`): `tool_name` its type, `json` its payload
  finished, ///< `stop_reason`, `usage`; nothing follows
  failed    ///< `failure`; nothing follows
};

/// Why a model call failed, as `llm.call_failed` tells it.
struct call_failure {
  std::string error_class;   ///< rate_limited, overloaded, invalid_request, authentication,
                             ///< not_found, network, timeout, incomplete_stream, malformed_stream,
                             ///< too_large, server_error
  std::string message;       ///< a sentence; never holds a key
  std::optional<int> status; ///< HTTP status
  std::optional<std::uint64_t> retry_after_ms; ///< as the provider asked
  bool can_retry = false;
};

/// One canonical piece of a model's answer. Indices count the blocks of the answer from 0; blocks
/// come one after the other or interleaved.
struct provider_chunk {
  chunk_kind kind = chunk_kind::start;
  std::uint64_t block_index = 0;
  std::string text; ///< valid UTF-8, never cut inside a character
  std::optional<std::string> signature;
  std::string tool_use_id;
  std::string tool_name;
  std::string stop_reason; ///< end_turn, max_tokens, stop_sequence, tool_use
  token_usage usage;
  call_failure failure;
  nlohmann::json json;
};

/// Chunks that arrived together, in order.
using provider_chunks = std::shared_ptr<const std::vector<provider_chunk>>;

/// One tool that a model wants to run.
struct tool_request {
  agent_session_id session_id;
  agent_turn_id turn_id;
  std::string tool_use_id;
  std::string tool_name;
  nlohmann::json input; ///< an object
  std::string workspace_path;
};

using tool_request_ptr = std::shared_ptr<const tool_request>;

/// How a tool ended. The text has passed the redactor.
struct tool_outcome {
  std::string tool_use_id;
  std::string text;
  bool is_error = false;   ///< the tool ran and says no; the model reads `text`
  bool truncated = false;  ///< the output was longer than the cap
  std::string error_class; ///< not empty: `tool.failed` (cancelled, timeout, unknown_tool,
                           ///< invalid_input, denied, crashed)
};

} // namespace gasoline
