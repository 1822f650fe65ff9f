#include "messages/agents/session_message.hpp"

namespace gasoline {

using nlohmann::json;

token_usage& token_usage::operator+=(const token_usage& other) {
  input += other.input;
  output += other.output;
  cache_read += other.cache_read;
  cache_creation += other.cache_creation;
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
  out["cost_usd"] = usage.cost_usd ? json(*usage.cost_usd) : json(nullptr);
  return out;
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
  if (!summary.parent_id.empty())
    out["parent_session_id"] = summary.parent_id;
  if (!summary.page_url.empty())
    out["page_url"] = summary.page_url;
  return out;
}

} // namespace gasoline
