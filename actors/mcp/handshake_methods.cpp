#include "actors/mcp/handshake_methods.hpp"

#include "actors/mcp/offers/mcp_registry.hpp"
#include "actors/mcp/offers/server_instructions.hpp"
#include "actors/mcp/protocol/mcp_serializer.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

mcp_revision agreed_on(const std::string& version) {
  const auto named = parse_name<mcp_revision>(version);
  return named && era_of(*named) == mcp_era::legacy ? *named : newest_legacy_revision;
}

/// What the client told of itself and asked for before no longer counts. What is under way is
/// answered now: a program behind the same pipe may use the ids again.
void begin_anew(client_parts& client, const open_request_ptr& handshake) {
  client.requests.fail_others(handshake,
                              {rpc_code::invalid_request,
                               "The client has begun anew with initialize; call again.", nullptr});
  client.agreement.begin_anew();
  client.roots.begin_anew();
  client.push.begin_anew();
  if (client.origin.channel)
    client.push.turn_on();
  client.subscriptions.begin_anew();
  client.streams.begin_anew();
  caf::anon_send(client.env.engine.streams, forget_atom_v, client.id);
}

json capabilities_of(const request_context& context, mcp_revision revision) {
  return server_capabilities(revision, context.registry().lists_change);
}

} // namespace

void initialize(client_parts& client, const request_context& context, const json& params) {
  if (context.request()->exchange->batch) {
    context.fail(rpc_code::invalid_request, "initialize must not be part of a batch.");
    return;
  }
  const auto version = text_parameter(params, "protocolVersion");
  if (!version) {
    context.fail(rpc_code::invalid_params,
                 "protocolVersion is missing; send one of " + legacy_revision_names() + ".");
    return;
  }
  const auto revision = agreed_on(*version);
  begin_anew(client, context.request());
  client.agreement.agree(revision, params);
  auto capabilities = capabilities_of(context, revision);
  if (client.origin.channel)
    capabilities["experimental"] = {{"claude/channel", json::object()}};
  context.answer({{"protocolVersion", name_of(revision)},
                  {"capabilities", std::move(capabilities)},
                  {"serverInfo", server_info(revision)},
                  {"instructions", server_instructions()}});
}

void ping(client_parts&, const request_context& context, const json&) {
  context.answer(json::object());
}

void set_level(client_parts& client, const request_context& context, const json& params) {
  const auto level = text_parameter(params, "level");
  const auto severity = level ? parse_name<log_severity>(*level) : std::nullopt;
  if (!severity) {
    context.fail(rpc_code::invalid_params,
                 "level must be one of " + all_names<log_severity>() + ".");
    return;
  }
  client.agreement.set_level(*severity);
  client.push.set_level(*parse_name<level_floor>(*level));
  context.answer(json::object());
}

void discover(client_parts&, const request_context& context, const json&) {
  context.answer({{"supportedVersions", {name_of(context.revision())}},
                  {"capabilities", capabilities_of(context, context.revision())},
                  {"instructions", server_instructions()}});
}

} // namespace gasoline
