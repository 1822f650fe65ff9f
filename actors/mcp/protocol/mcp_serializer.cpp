#include "actors/mcp/protocol/mcp_serializer.hpp"

#include "config/version.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

/// Results that must say how long they may be kept. Lists only change with the engine; what is read
/// changes with every event.
struct cache_hint {
  std::string_view method;
  std::uint32_t ttl_ms;
};

constexpr cache_hint cache_hints[] = {
    {"server/discover", 300'000}, {"tools/list", 60'000}, {"prompts/list", 60'000},
    {"resources/list", 60'000},   {"resources/read", 0},  {"resources/templates/list", 60'000},
};

void stamp_server_info(json& result) {
  result["_meta"][std::string{mcp_meta_prefix} + "serverInfo"] =
      server_info(mcp_revision::v2026_07_28);
}

/// Whole numbers without a decimal point.
json shortest(double value) {
  constexpr double exact = 9007199254740992.0; // 2^53
  if (std::trunc(value) == value && std::abs(value) < exact)
    return static_cast<std::int64_t>(value);
  return value;
}

json text_json(std::string text) {
  return {{"type", "text"}, {"text", std::move(text)}};
}

/// Writes one block of a tool's answer.
struct block_writer {
  mcp_revision revision;

  json operator()(text_block block) const { return text_json(std::move(block.text)); }

  json operator()(image_block block) const {
    return {{"type", "image"},
            {"data", std::move(block.data)},
            {"mimeType", std::move(block.mime_type)}};
  }

  json operator()(link_block block) const {
    if (revision < mcp_revision::v2025_06_18)
      return text_json(block.name + ": " + block.uri);
    json out{{"type", "resource_link"},
             {"uri", std::move(block.uri)},
             {"name", std::move(block.name)},
             {"mimeType", std::move(block.mime_type)}};
    if (!block.description.empty())
      out["description"] = std::move(block.description);
    return out;
  }
};

} // namespace

json complete_result(mcp_revision revision, std::string_view method, json result) {
  if (era_of(revision) == mcp_era::legacy)
    return result;
  result["resultType"] = "complete";
  stamp_server_info(result);
  const auto* hint = std::find_if(std::begin(cache_hints), std::end(cache_hints),
                                  [&](const cache_hint& h) { return h.method == method; });
  if (hint == std::end(cache_hints))
    return result;
  result["ttlMs"] = hint->ttl_ms;
  result["cacheScope"] = "private";
  return result;
}

json input_required_result(json inputs, const std::string& state) {
  json result{{"resultType", "input_required"}};
  if (!inputs.empty())
    result["inputRequests"] = std::move(inputs);
  if (!state.empty())
    result["requestState"] = state;
  stamp_server_info(result);
  return result;
}

json tool_result_json(mcp_revision revision, tool_result result) {
  json content = json::array();
  for (auto& block : result.content)
    content.push_back(std::visit(block_writer{revision}, std::move(block)));
  json out{{"content", std::move(content)}};
  if (result.is_error)
    out["isError"] = true;
  return out;
}

rpc_code wire_code(mcp_revision revision, rpc_code code) {
  const bool modern = era_of(revision) == mcp_era::modern;
  return modern && code == rpc_code::resource_not_found ? rpc_code::invalid_params : code;
}

json server_info(mcp_revision revision) {
  json info{{"name", "gasoline"}, {"version", program_version()}};
  if (revision >= mcp_revision::v2025_06_18)
    info["title"] = "Gasoline";
  if (revision >= mcp_revision::v2025_11_25)
    info["description"] = "Watches the software being built and tells the agent what broke.";
  return info;
}

json server_capabilities(mcp_revision revision, bool lists_change) {
  json out{{"logging", json::object()},
           {"tools", {{"listChanged", lists_change}}},
           {"prompts", {{"listChanged", lists_change}}},
           {"resources", {{"subscribe", true}, {"listChanged", lists_change}}}};
  if (revision >= mcp_revision::v2025_03_26)
    out["completions"] = json::object();
  return out;
}

json progress_params(mcp_revision revision, const json& token, double progress, const json& total,
                     std::string_view message) {
  json out{{"progressToken", token}, {"progress", shortest(progress)}};
  if (total.is_number())
    out["total"] = shortest(total.get<double>());
  if (!message.empty() && revision >= mcp_revision::v2025_03_26)
    out["message"] = message;
  return out;
}

std::string notification_message(std::string_view method, json params) {
  return dumped({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

std::string request_message(const json& id, std::string_view method, json params) {
  return dumped(
      {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

} // namespace gasoline
