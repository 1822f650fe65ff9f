#include "actors/mcp/protocol/request_claims.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

/// Null counts as absent: clients write out what they leave empty.
const json* find(const json& object, const std::string& key) {
  if (!object.is_object())
    return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string reserved(std::string_view key) {
  return std::string{mcp_meta_prefix} + std::string{key};
}

const json* claimed_version(const json& params) {
  const auto* meta = find(params, "_meta");
  return meta ? find(*meta, reserved("protocolVersion")) : nullptr;
}

rpc_problem bad_meta(std::string_view key, std::string_view expected) {
  return {rpc_code::invalid_params,
          "params._meta[\"" + reserved(key) + "\"] must be " + std::string{expected} + ".",
          nullptr};
}

bool is_token(const json& value) {
  return value.is_string() || value.is_number_integer();
}

/// The optional keys of a modern request; the first problem found.
std::optional<rpc_problem> read_optional(const json& meta, request_claims& claims) {
  if (const auto* info = find(meta, reserved("clientInfo"))) {
    if (!info->is_object())
      return bad_meta("clientInfo", "an object");
    claims.client_info = *info;
  }
  if (const auto* level = find(meta, reserved("logLevel"))) {
    if (level->is_string())
      claims.log_level = parse_name<log_severity>(level->get<std::string>());
    if (!claims.log_level)
      return bad_meta("logLevel", "one of " + all_names<log_severity>());
  }
  if (const auto* token = find(meta, "progressToken")) {
    if (!is_token(*token))
      return rpc_problem{rpc_code::invalid_params,
                         "params._meta.progressToken must be a string or an integer.", nullptr};
    claims.progress_token = *token;
  }
  return std::nullopt;
}

} // namespace

bool claims_version(const json& params) {
  return claimed_version(params) != nullptr;
}

rpc_problem version_problem(const json& requested) {
  constexpr auto spoken = name_of(mcp_revision::v2026_07_28);
  return {rpc_code::version_unsupported,
          "This protocol version is not supported here; send " + std::string{spoken} +
              ", or begin with initialize for " + legacy_revision_names() + ".",
          {{"supported", {spoken}}, {"requested", requested}}};
}

request_claims legacy_claims(const json& params) {
  request_claims claims;
  const auto* meta = find(params, "_meta");
  if (const auto* token = meta ? find(*meta, "progressToken") : nullptr; token && is_token(*token))
    claims.progress_token = *token;
  return claims;
}

tl::expected<request_claims, rpc_problem> modern_claims(const json& params) {
  const auto* version = claimed_version(params);
  if (!version || !version->is_string())
    return tl::unexpected(bad_meta("protocolVersion", "a string, on every request"));
  const auto& meta = params.at("_meta");
  const auto* capabilities = find(meta, reserved("clientCapabilities"));
  if (!capabilities || !capabilities->is_object())
    return tl::unexpected(bad_meta("clientCapabilities", "an object, {} for none"));
  if (*version != name_of(mcp_revision::v2026_07_28))
    return tl::unexpected(version_problem(*version));
  request_claims claims;
  claims.capabilities = *capabilities;
  if (auto problem = read_optional(meta, claims))
    return tl::unexpected(std::move(*problem));
  return claims;
}

} // namespace gasoline
