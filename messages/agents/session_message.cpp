#include "messages/agents/session_message.hpp"

namespace gasoline {

using nlohmann::json;

token_usage& token_usage::operator+=(const token_usage& other) {
  input += other.input;
  output += other.output;
  cache_read += other.cache_read;
  cache_creation += other.cache_creation;
  estimated = estimated || other.estimated;
  if (other.cost_usd)
    cost_usd = cost_usd.value_or(0) + *other.cost_usd;
  return *this;
}

json to_json_document(const token_usage& usage) {
  json out{{"input_tokens", usage.input}, {"output_tokens", usage.output}};
  if (usage.cache_read > 0)
    out["cache_read_input_tokens"] = usage.cache_read;
  if (usage.cache_creation > 0)
    out["cache_creation_input_tokens"] = usage.cache_creation;
  if (usage.estimated)
    out["estimated"] = true;
  out["cost_usd"] = usage.cost_usd ? json(*usage.cost_usd) : json(nullptr);
  return out;
}

double cost_of(const token_usage& usage, const model_price& price) {
  constexpr double million = 1e6;
  return (static_cast<double>(usage.input + usage.cache_creation) * price.input +
          static_cast<double>(usage.cache_read) * price.cached +
          static_cast<double>(usage.output) * price.output) /
         million;
}

token_usage usage_from_json(const json& document) {
  token_usage usage;
  if (!document.is_object())
    return usage;
  const auto count = [&](const char* name) -> std::uint64_t {
    const auto it = document.find(name);
    return it != document.end() && it->is_number_unsigned() ? it->get<std::uint64_t>() : 0;
  };
  usage.input = count("input_tokens");
  usage.output = count("output_tokens");
  usage.cache_read = count("cache_read_input_tokens");
  usage.cache_creation = count("cache_creation_input_tokens");
  if (const auto it = document.find("cost_usd"); it != document.end() && it->is_number())
    usage.cost_usd = it->get<double>();
  usage.estimated = document.value("estimated", json(false)) == json(true);
  return usage;
}

json to_json_document(const session_message& message) {
  json out{{"id", message.id},
           {"session_id", message.session_id},
           {"turn_id", message.turn_id},
           {"role", message.role},
           {"status", name_of(message.status)},
           {"content", message.content},
           {"created_at", to_iso8601(message.created)}};
  if (message.role != "assistant")
    return out;
  out["model"] = message.model;
  out["stop_reason"] = message.stop_reason;
  out["usage"] = to_json_document(message.usage);
  return out;
}

std::uint64_t content_bytes(const json& content) {
  std::uint64_t out = sizeof(json);
  if (content.is_string())
    out += content.get_ref<const std::string&>().size();
  if (!content.is_structured())
    return out;
  constexpr std::uint64_t member_bytes = 64; // of a node of the tree, beside its key and value
  for (auto it = content.begin(); it != content.end(); ++it)
    out += content_bytes(*it) + (content.is_object() ? it.key().size() + member_bytes : 0);
  return out;
}

queued_turn make_queued_turn(agent_turn_id turn_id, json content) {
  const auto bytes = content_bytes(content);
  return {std::move(turn_id), std::make_shared<const json>(std::move(content)), bytes};
}

std::uint64_t waiting_bytes(const std::vector<queued_turn>& queue) {
  std::uint64_t out = 0;
  for (const auto& turn : queue)
    out += turn.bytes;
  return out;
}

json to_json_document(const session_summary& summary) {
  const bool busy = !summary.current_turn_id.empty();
  json out{{"id", summary.id},
           {"workspace_path", summary.workspace_path},
           {"active_model", summary.active_model},
           {"routing_policy_version", summary.routing_policy_version},
           {"cost_so_far_usd", summary.cost_so_far_usd},
           {"turn_count", summary.turn_count},
           {"current_turn_id", busy ? json(summary.current_turn_id) : json(nullptr)},
           {"current_turn_status", busy ? json("in_flight") : json(nullptr)},
           {"tools", summary.tools},
           {"created_at", to_iso8601(summary.created)}};
  auto waiting = json::array();
  for (const auto& turn : summary.queue)
    waiting.push_back(turn.turn_id);
  out["queued_turn_ids"] = std::move(waiting);
  out["allowed_tools"] = summary.grants;
  out["pending_permissions"] = summary.permissions;
  if (!summary.parent_id.empty())
    out["parent_session_id"] = summary.parent_id;
  if (!summary.page_url.empty())
    out["page_url"] = summary.page_url;
  return out;
}

json to_json_document(const std::vector<queued_turn>& queue) {
  auto out = json::array();
  for (const auto& turn : queue)
    out.push_back({{"turn_id", turn.turn_id}, {"content", *turn.content}});
  return out;
}

json to_json_document(const std::vector<submitted_turn>& submissions) {
  auto out = json::array();
  for (const auto& turn : submissions)
    out.push_back({turn.key, turn.content_hash, turn.turn_id});
  return out;
}

std::vector<queued_turn> queue_from_json(const json& document) {
  std::vector<queued_turn> out;
  if (!document.is_array())
    return out;
  for (const auto& turn : document)
    if (turn.is_object() && turn.contains("content"))
      out.push_back(
          make_queued_turn(agent_turn_id{turn.value("turn_id", std::string{})}, turn["content"]));
  return out;
}

std::vector<submitted_turn> submissions_from_json(const json& document) {
  std::vector<submitted_turn> out;
  if (!document.is_array())
    return out;
  for (const auto& turn : document)
    if (turn.is_array() && turn.size() == 3)
      out.push_back({turn[0].get<std::string>(), turn[1].get<std::string>(),
                     agent_turn_id{turn[2].get<std::string>()}});
  return out;
}

} // namespace gasoline
