#include "messages/agents/session_event.hpp"

#include "messages/base/json/json_text.hpp"

#include <cassert>

namespace gasoline {
namespace {

using type = session_event_type;
using nlohmann::json;

constexpr auto text = json_kinds::string;
constexpr auto count = json_kinds::integer;
constexpr auto number = json_kinds::number;
constexpr auto yes_no = json_kinds::boolean;
constexpr auto object = json_kinds::object;
constexpr auto array = json_kinds::array;
constexpr auto text_or_null = json_kinds::string | json_kinds::null;
constexpr auto count_or_null = json_kinds::integer | json_kinds::null;
constexpr auto number_or_null = json_kinds::number | json_kinds::null;

/// The part of the catalog that is stored.
std::vector<session_event_row> persisted_rows() {
  return {
      // Accepted while another turn was in flight.
      {type::turn_queued, true, true, true, {{"behind_turn_id", text}, {"position", count}}},
      {type::turn_started,
       true,
       true,
       true,
       {{"message_id", text_or_null}, {"content", array}, {"model", text}, {"provider", text}}},
      {type::turn_completed,
       true,
       true,
       true,
       {{"status", text}, // completed, failed
        {"stop_reason", text_or_null},
        {"usage", object},
        {"cost_usd", number_or_null},
        {"model_calls", count},
        {"tool_calls", count},
        {"duration_ms", count}}},
      {type::turn_cancelled,
       true,
       true,
       true,
       {{"reason", text, true},
        {"partial_state", object}, // {phase, message_id, content_blocks, tool_use_ids}
        {"usage", object},
        {"duration_ms", count}}},
      // To an agent that runs elsewhere: its turn is to end.
      {type::turn_cancel_requested, true, true, true, {{"reason", text, true}}},
      {type::route_decided,
       true,
       true,
       true,
       {{"model", text, true}, {"provider", text}, {"reason", text}, {"policy_version", text}}},
      {type::llm_call_started,
       true,
       true,
       true,
       {{"call_index", count},
        {"model", text},
        {"provider", text},
        {"message_count", count},
        {"tool_count", count},
        {"message_id", text}, // of the message that tells new alerts to the model, if any
        {"content", array}}},
      {type::llm_call_completed,
       true,
       true,
       true,
       {{"call_index", count},
        {"message_id", text_or_null},
        {"model", text},
        {"stop_reason", text},
        {"usage", object},
        {"cost_usd", number_or_null},
        {"duration_ms", count}}},
      {type::llm_call_failed,
       true,
       true,
       true,
       {{"error_class", text, true},
        {"message", text},
        {"call_index", count},
        {"message_id", text_or_null},
        {"model", text},
        {"status", count_or_null},
        {"retry_after_ms", count_or_null},
        {"will_retry", yes_no},
        {"usage", object},
        {"cost_usd", number_or_null},
        {"duration_ms", count}}},
      {type::tool_called,
       true,
       true,
       true,
       {{"tool_use_id", text, true}, {"tool_name", text, true}, {"input", object}}},
      {type::tool_completed,
       true,
       true,
       true,
       {{"tool_use_id", text, true},
        {"tool_name", text, true},
        {"result", text},
        {"is_error", yes_no},
        {"truncated", yes_no},
        {"duration_ms", count}}},
      {type::tool_failed,
       true,
       true,
       true,
       {{"tool_use_id", text, true},
        {"tool_name", text, true},
        {"error_class", text, true},
        {"message", text},
        {"duration_ms", count}}},
      {type::permission_requested,
       true,
       true,
       true,
       {{"request_id", text, true},
        {"tool_use_id", text},
        {"tool", text, true},
        {"input", object},
        {"reason", text},
        {"options", array}, // allow_once, allow_session, deny
        {"timeout_ms", count}}},
      {type::permission_resolved,
       true,
       true,
       true,
       {{"request_id", text, true},
        {"tool_use_id", text},
        {"tool", text},
        {"decision", text, true}, // one of the options
        {"by", text}}},           // user, timeout, cancel, server_restart
      {type::delegate_started,
       true,
       true,
       true,
       {{"worker_session_id", text, true}, {"tool_use_id", text}, {"task", text}, {"model", text}}},
      {type::delegate_completed,
       true,
       true,
       true,
       {{"worker_session_id", text, true},
        {"tool_use_id", text},
        {"success", yes_no, true},
        {"result", text},
        {"usage", object},
        {"duration_ms", count}}},
      {type::delegate_failed,
       true,
       true,
       true,
       {{"worker_session_id", text, true},
        {"tool_use_id", text},
        {"failure_mode", text, true},
        {"message", text},
        {"duration_ms", count}}},
      {type::feedback_recorded,
       true,
       true,
       false,
       {{"message_id", text, true}, {"rating", number | text_or_null}, {"comment", text_or_null}}},
      {type::alert_raised,
       true,
       true,
       false,
       {{"alert_id", text, true},
        {"severity", text, true},
        {"category", text},
        {"alert_category", text},
        {"title", text, true},
        {"detail", text},
        {"source", text},
        {"url", text},
        {"count", count},
        {"dedup_key", text}}},
      {type::bus_handler_warning,
       true,
       false,
       false,
       {{"subscription_name", text, true}, {"code", text}, {"message", text}}},
      {type::bus_subscriber_unregistered,
       true,
       false,
       false,
       {{"subscription_name", text, true}, {"reason", text}, {"written", count}}},
  };
}

/// The streaming-only part.
std::vector<session_event_row> transient_rows() {
  return {
      {type::message_start,
       false,
       true,
       true,
       {{"message_id", text, true}, {"role", text, true}, {"model", text}}},
      {type::text_delta,
       false,
       true,
       true,
       {{"message_id", text, true}, {"content_block_index", count, true}, {"text", text, true}}},
      {type::thinking_delta,
       false,
       true,
       true,
       {{"message_id", text, true},
        {"content_block_index", count, true},
        {"text", text, true},
        {"signature", text_or_null}}},
      {type::tool_use_start,
       false,
       true,
       true,
       {{"message_id", text, true},
        {"content_block_index", count, true},
        {"tool_use_id", text, true},
        {"tool_name", text, true}}},
      {type::tool_use_input_delta,
       false,
       true,
       true,
       {{"message_id", text, true},
        {"content_block_index", count, true},
        {"tool_use_id", text, true},
        {"partial_json", text, true}}},
      {type::tool_use_end,
       false,
       true,
       true,
       {{"message_id", text, true},
        {"content_block_index", count, true},
        {"tool_use_id", text, true},
        {"final_input", object, true}}},
      {type::message_complete,
       false,
       true,
       true,
       {{"message_id", text, true},
        {"stop_reason", text, true},
        {"final_content", array, true},
        {"usage", object}}},
      {type::other, false, true, false, {}},
  };
}

std::vector<session_event_row> all_rows() {
  auto rows = persisted_rows();
  for (auto& row : transient_rows())
    rows.push_back(std::move(row));
  assert(rows.size() == session_event_types + 1);
  return rows;
}

bool accepts(json_kinds kinds, json_kinds kind) {
  return (static_cast<std::uint8_t>(kinds) & static_cast<std::uint8_t>(kind)) != 0;
}

bool is_of(json_kinds kinds, const json& value) {
  switch (value.type()) {
  case json::value_t::string:
    return accepts(kinds, json_kinds::string);
  case json::value_t::number_integer:
  case json::value_t::number_unsigned:
    return accepts(kinds, json_kinds::integer | json_kinds::number);
  case json::value_t::number_float:
    return accepts(kinds, json_kinds::number);
  case json::value_t::boolean:
    return accepts(kinds, json_kinds::boolean);
  case json::value_t::object:
    return accepts(kinds, json_kinds::object);
  case json::value_t::array:
    return accepts(kinds, json_kinds::array);
  case json::value_t::null:
    return accepts(kinds, json_kinds::null);
  default:
    return false;
  }
}

std::string names_of(json_kinds kinds) {
  static constexpr std::array<std::pair<json_kinds, std::string_view>, 7> rows{{
      {json_kinds::string, "a string"},
      {json_kinds::integer, "an integer"},
      {json_kinds::number, "a number"},
      {json_kinds::boolean, "true or false"},
      {json_kinds::object, "an object"},
      {json_kinds::array, "an array"},
      {json_kinds::null, "null"},
  }};
  std::string out;
  for (const auto& [kind, name] : rows)
    if (accepts(kinds, kind))
      out += (out.empty() ? "" : " or ") + std::string{name};
  return out;
}

std::string frame_text_of(const session_event& e, std::string_view type_name,
                          const agent_session_id& parent_session_id, std::string_view payload) {
  std::string out;
  out.reserve(payload.size() + 320);
  out += R"({"type":"event","event":)";
  json_object_writer writer{out};
  writer.text("id", e.id).text("type", type_name).text("session_id", e.session_id);
  if (!e.turn_id.empty())
    writer.text("turn_id", e.turn_id);
  if (!parent_session_id.empty())
    writer.text("parent_session_id", parent_session_id);
  writer.text("actor", e.actor).text("timestamp", to_iso8601(e.at)).raw("payload", payload).close();
  out += '}';
  return out;
}

} // namespace

const std::vector<session_event_row>& session_event_catalog() {
  static const auto rows = all_rows();
  return rows;
}

const session_event_row& catalog_row(session_event_type type) {
  return session_event_catalog()[static_cast<std::size_t>(type)];
}

std::optional<std::string> payload_fault(session_event_type type, const json& payload) {
  const auto name = std::string{name_of(type)};
  if (!payload.is_object())
    return "the payload of " + name + " must be an object";
  for (const auto& field : catalog_row(type).fields) {
    const auto it = payload.find(field.name);
    if (it == payload.end()) {
      if (field.required)
        return "the payload of " + name + " lacks '" + std::string{field.name} + "', which is " +
               names_of(field.kinds);
      continue;
    }
    if (!is_of(field.kinds, *it))
      return "'" + std::string{field.name} + "' in the payload of " + name + " must be " +
             names_of(field.kinds);
  }
  return std::nullopt;
}

frame_text frame_of(const session_event_ptr& e) {
  return frame_text{e, &e->frame};
}

session_event_ptr make_session_event(const event_draft& draft, std::string id,
                                     agent_session_id session_id,
                                     const agent_session_id& parent_session_id, wall_time at) {
  auto e = std::make_shared<session_event>();
  e->id = std::move(id);
  e->type = draft.type;
  e->session_id = std::move(session_id);
  e->turn_id = draft.turn_id;
  e->actor = draft.actor;
  e->at = at;
  if (!catalog_row(draft.type).persisted && draft.payload.contains("message_id"))
    e->message_id = agent_message_id{draft.payload.value("message_id", std::string{})};
  const auto name = draft.type == session_event_type::other ? std::string_view{draft.other_name}
                                                            : name_of(draft.type);
  e->frame = frame_text_of(*e, name, parent_session_id, dumped(draft.payload));
  return e;
}

} // namespace gasoline
