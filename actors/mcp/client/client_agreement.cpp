#include "actors/mcp/client/client_agreement.hpp"

#include "actors/mcp/protocol/request_parameters.hpp"

#include <utility>

namespace gasoline {

using nlohmann::json;

void client_agreement::begin_anew() {
  level_.reset();
  capabilities_ = json::object();
}

void client_agreement::take_name(const json& client_info) {
  if (auto name = text_parameter(client_info, "name"))
    given_name_ = std::move(*name);
}

void client_agreement::agree(mcp_revision revision, const json& params) {
  revision_ = revision;
  if (const auto found = params.find("capabilities"); found != params.end() && found->is_object())
    capabilities_ = *found;
  if (const auto found = params.find("clientInfo"); found != params.end())
    take_name(*found);
}

void client_agreement::note(const request_claims& claims) {
  modern_seen_ = true;
  take_name(claims.client_info);
}

mcp_era client_agreement::classify(const rpc_call& call, exchange_id exchange) {
  const bool claimed = claims_version(call.params);
  if (exchange != 0)
    return claimed ? mcp_era::modern : mcp_era::legacy;
  return era_.classify(call.method, claimed);
}

std::optional<mcp_revision> client_agreement::shown_revision() const {
  if (revision_ || !modern_seen_)
    return revision_;
  return mcp_revision::v2026_07_28;
}

} // namespace gasoline
