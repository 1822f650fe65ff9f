#pragma once

#include "config/session_settings.hpp"
#include "messages/base/enum_names.hpp"
#include "messages/base/identity/typed_id.hpp"
#include "messages/base/shared_text.hpp"
#include "messages/base/time.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// How a message ended. Messages that are still being written are not
/// stored.
enum class message_status : std::uint8_t { complete, cancelled, failed };

template <>
struct enum_table<message_status> {
  static constexpr std::array<std::pair<message_status, std::string_view>, 3> rows{{
      {message_status::complete, "complete"},
      {message_status::cancelled, "cancelled"},
      {message_status::failed, "failed"},
  }};
};

/// Tokens and cost of one or several model calls. Shown as `usage`: `input_tokens`,
/// `output_tokens`, `cache_read_input_tokens`, `cache_creation_input_tokens`, `cost_usd`,
/// `estimated`.
struct token_usage {
  std::uint64_t input = 0; ///< tokens
  std::uint64_t output = 0;
  std::uint64_t cache_read = 0;
  std::uint64_t cache_creation = 0;
  std::optional<double> cost_usd; ///< empty: the provider's price is unknown
  bool estimated = false;         ///< the provider did not tell all of it

  token_usage& operator+=(const token_usage& other);
};

nlohmann::json to_json_document(const token_usage& usage);

/// What these tokens cost. Writing to a provider's cache is counted as input.
double cost_of(const token_usage& usage, const model_price& price);

/// Reads what `to_json_document` wrote; absent fields are 0.
token_usage usage_from_json(const nlohmann::json& document);

/// A finished message. `content` is an array of blocks: `{"type":"text","text"}`,
/// `{"type":"thinking","text","signature"}`, `{"type":"tool_use","id","name","input"}`,
/// `{"type":"tool_result","tool_use_id","content","is_error"}`.
struct session_message {
  agent_message_id id;
  agent_session_id session_id;
  agent_turn_id turn_id;
  std::string role; ///< `user` or `assistant`; tool results are in a `user` message
  message_status status = message_status::complete;
  std::string model; ///< `PROVIDER:MODEL`; empty for users
  std::string stop_reason;
  nlohmann::json content = nlohmann::json::array();
  token_usage usage;
  std::string start_event;    ///< id of its `message.start`; empty: it had none
  std::string complete_event; ///< id of the event with which it was known in full
  wall_time created{};
};

using session_message_ptr = std::shared_ptr<const session_message>;

/// As snapshots and `GET /sessions/{id}/messages` show it.
nlohmann::json to_json_document(const session_message& message);

/// About what content blocks take in memory, in bytes.
std::uint64_t content_bytes(const nlohmann::json& content);

/// One tool call, as the trace keeps it.
struct tool_call_record {
  std::string tool_use_id;
  agent_session_id session_id;
  agent_turn_id turn_id;
  std::string tool_name;
  std::string status; ///< running, completed, failed, cancelled
  nlohmann::json input;
  std::string result; ///< redacted; empty while it runs
};

/// A turn that was accepted while another was in flight.
struct queued_turn {
  agent_turn_id turn_id;
  std::shared_ptr<const nlohmann::json> content; ///< content blocks of the user's message
  std::uint64_t bytes = 0;                       ///< of `content`, as `content_bytes` counts them
};

/// The turn with that content.
queued_turn make_queued_turn(agent_turn_id turn_id, nlohmann::json content);

/// Of all that wait.
std::uint64_t waiting_bytes(const std::vector<queued_turn>& queue);

/// A turn that was submitted with an `Idempotency-Key`: the same request again is the same turn.
struct submitted_turn {
  std::string key;
  std::string content_hash; ///< of the content, so that another one under the key is noticed
  agent_turn_id turn_id;
};

/// What a session is, as `GET /sessions` and snapshots show it.
struct session_summary {
  agent_session_id id;
  agent_session_id parent_id; ///< empty: not a worker
  std::string workspace_path;
  std::string page_url;     ///< alerts of pages below this URL join in; empty: of every page
  std::string active_model; ///< `PROVIDER:MODEL`
  std::string routing_policy_version;
  shared_text system_prompt;
  std::vector<std::string> tools;
  shared_text script; ///< JSON of the `scripted` provider; empty: none
  double cost_so_far_usd = 0;
  std::uint64_t turn_count = 0;
  std::uint64_t model_calls = 0; ///< begun so far
  agent_turn_id current_turn_id; ///< empty: no turn is in flight
  wall_time created{};
  std::vector<std::string> grants;         ///< tools that are run without asking
  std::vector<queued_turn> queue;          ///< turns that wait for the one in flight
  std::vector<submitted_turn> submissions; ///< the newest with a key, oldest first
  std::vector<nlohmann::json> permissions; ///< payloads of requests that wait for an answer
};

/// The parts of a summary that are stored as JSON, and back; what cannot be read is left out.
nlohmann::json to_json_document(const std::vector<queued_turn>& queue);
nlohmann::json to_json_document(const std::vector<submitted_turn>& submissions);
std::vector<queued_turn> queue_from_json(const nlohmann::json& document);
std::vector<submitted_turn> submissions_from_json(const nlohmann::json& document);

nlohmann::json to_json_document(const session_summary& summary);

} // namespace gasoline
