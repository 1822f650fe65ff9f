#include "actors/mcp/method_table.hpp"

#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp/handshake_methods.hpp"
#include "actors/mcp/offers/mcp_completions.hpp"
#include "actors/mcp/offers/mcp_prompts.hpp"
#include "actors/mcp/offers/mcp_resources.hpp"
#include "actors/mcp/protocol/request_claims.hpp"
#include "actors/mcp/subscription_methods.hpp"
#include "actors/mcp/tool_methods.hpp"

#include <algorithm>
#include <iterator>

namespace gasoline {
namespace {

using nlohmann::json;

/// The eras that have a method.
enum class method_eras : std::uint8_t { legacy, modern, both };

/// A method that needs nothing of its client beyond the request.
template <void (*Handle)(const request_context&, const json& params)>
void plain(client_parts&, const request_context& context, const json& params) {
  Handle(context, params);
}

/// One row per method; `early` ones are served before `initialize` too.
struct method_row {
  std::string_view name;
  void (*handle)(client_parts&, const request_context&, const json& params);
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
    {"resources/list", plain<resources_list>},
    {"resources/templates/list", plain<resource_templates_list>},
    {"resources/read", plain<resources_read>},
    {"resources/subscribe", resources_subscribe, method_eras::legacy},
    {"resources/unsubscribe", resources_unsubscribe, method_eras::legacy},
    {"subscriptions/listen", subscriptions_listen, method_eras::modern},
    {"prompts/list", plain<prompts_list>},
    {"prompts/get", plain<prompts_get>},
    {"completion/complete", plain<completion_complete>},
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

/// The answer to `initialize` on a connection that speaks 2026-07-28.
rpc_problem handshake_problem(const rpc_call& call) {
  const bool named = call.params.is_object() && call.params.contains("protocolVersion");
  return version_problem(named ? call.params.at("protocolVersion") : json());
}

/// Reads what the request says about itself; the problem when it may not be served.
std::optional<rpc_problem> admit(client_parts& client, const rpc_call& call,
                                 open_request& request) {
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
  client.agreement.note(request.claims);
  return client.inputs.read(request, call.params, client.self->clock().now());
}

} // namespace

void serve_request(client_parts& client, const rpc_call& call,
                   const std::shared_ptr<open_exchange>& exchange) {
  const auto era = client.agreement.classify(call, exchange->id);
  const auto agreed = client.agreement.revision();
  const auto request = std::make_shared<open_request>();
  request->id = call.id;
  request->method = call.method;
  request->ordered_arguments = call.ordered_arguments;
  request->exchange = exchange;
  request->revision =
      era == mcp_era::modern ? mcp_revision::v2026_07_28 : agreed.value_or(newest_legacy_revision);
  auto& requests = client.requests;
  requests.open(request);
  if (const auto problem = admit(client, call, *request)) {
    requests.answer_problem(request, *problem);
    return;
  }
  const auto* row = find_method(call.method, era);
  if (!row) {
    requests.answer_problem(request, {rpc_code::method_not_found, "Method not found.", nullptr});
    return;
  }
  if (era == mcp_era::legacy && !row->early && !agreed) {
    requests.answer_problem(request,
                            {rpc_code::invalid_request,
                             "The session is not initialized; send initialize first.", nullptr});
    return;
  }
  row->handle(client, request_context{client, request}, call.params);
}

} // namespace gasoline
