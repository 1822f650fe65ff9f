#include "actors/mcp/client/client_methods.hpp"

#include "actors/mcp/client/client_handshake.hpp"
#include "actors/mcp/client/client_replies.hpp"
#include "actors/mcp/client/client_subscriptions.hpp"
#include "actors/mcp/client/client_tools.hpp"
#include "actors/mcp/client/request_inputs.hpp"
#include "actors/mcp/offers/mcp_completions.hpp"
#include "actors/mcp/offers/mcp_prompts.hpp"
#include "actors/mcp/offers/mcp_resources.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"

#include <algorithm>
#include <iterator>

namespace gasoline {
namespace {

using nlohmann::json;

/// The eras that have a method.
enum class method_eras : std::uint8_t { legacy, modern, both };

/// One row per method; `early` ones are served before `initialize` too.
struct method_row {
  std::string_view name;
  void (*handle)(const request_context&, const json& params);
  method_eras eras = method_eras::both;
  bool early = false;
};

constexpr method_row methods[] = {
    {"initialize", initialize, method_eras::legacy, true},
    {"ping", ping, method_eras::legacy, true},
    {"logging/setLevel", set_level, method_eras::legacy},
    {"server/discover", discover, method_eras::modern},
    {"tools/list", tools_list},
    {"tools/call", tools_call},
    {"resources/list", resources_list},
    {"resources/templates/list", resource_templates_list},
    {"resources/read", resources_read},
    {"resources/subscribe", resources_subscribe, method_eras::legacy},
    {"resources/unsubscribe", resources_unsubscribe, method_eras::legacy},
    {"subscriptions/listen", subscriptions_listen, method_eras::modern},
    {"prompts/list", prompts_list},
    {"prompts/get", prompts_get},
    {"completion/complete", completion_complete},
};

bool exists_in(const method_row& row, mcp_era era) {
  return row.eras == method_eras::both ||
         (row.eras == method_eras::legacy) == (era == mcp_era::legacy);
}

const method_row* find_method(std::string_view name, mcp_era era) {
  const auto* row = std::find_if(std::begin(methods), std::end(methods), [&](const method_row& m) {
    return m.name == name && exists_in(m, era);
  });
  return row == std::end(methods) ? nullptr : row;
}

/// A frame with an exchange came with headers, which say its era; on a connection without them the
/// first request decides.
mcp_era era_of_call(client_pointer self, const rpc_call& call, exchange_id exchange) {
  const bool claimed = claims_version(call.params);
  if (exchange != 0)
    return claimed ? mcp_era::modern : mcp_era::legacy;
  return self->state.era.classify(call.method, claimed);
}

/// The answer to `initialize` on a connection that speaks 2026-07-28.
rpc_problem handshake_problem(const rpc_call& call) {
  const bool named = call.params.is_object() && call.params.contains("protocolVersion");
  return version_problem(named ? call.params.at("protocolVersion") : json());
}

void note_client(client_state& state, const request_claims& claims) {
  state.modern_seen = true;
  if (auto name = text_parameter(claims.client_info, "name"))
    state.given_name = std::move(*name);
}

/// Reads what the request says about itself; the problem when it may not be served.
std::optional<rpc_problem> admit(client_pointer self, const rpc_call& call, open_request& request) {
  if (era_of(request.revision) == mcp_era::legacy) {
    request.claims = legacy_claims(call.params);
    return std::nullopt;
  }
  if (call.method == "initialize" && request.exchange->id == 0)
    return handshake_problem(call);
  auto claims = modern_claims(call.params);
  if (!claims)
    return std::move(claims.error());
  request.claims = std::move(*claims);
  note_client(self->state, request.claims);
  return read_inputs(self, request, call.params);
}

} // namespace

void serve_request(client_pointer self, const rpc_call& call,
                   const std::shared_ptr<open_exchange>& exchange) {
  auto& state = self->state;
  const auto era = era_of_call(self, call, exchange->id);
  const auto request = std::make_shared<open_request>();
  request->id = call.id;
  request->method = call.method;
  request->exchange = exchange;
  request->revision = era == mcp_era::modern ? mcp_revision::v2026_07_28
                                             : state.revision.value_or(newest_legacy_revision);
  open_slot(self, request);
  if (const auto problem = admit(self, call, *request)) {
    answer_problem(self, request, *problem);
    return;
  }
  const auto* row = find_method(call.method, era);
  if (!row) {
    answer_problem(self, request, {rpc_code::method_not_found, "Method not found.", nullptr});
    return;
  }
  if (era == mcp_era::legacy && !row->early && !state.revision) {
    answer_problem(self, request,
                   {rpc_code::invalid_request,
                    "The session is not initialized; send initialize first.", nullptr});
    return;
  }
  row->handle(request_context{self, request}, call.params);
}

} // namespace gasoline
