#include "actors/mcp/protocol/mcp_serializer.hpp"

#include "config/version.hpp"
#include "messages/base/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

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
