#include "actors/mcp/client/client_handshake.hpp"

#include "actors/mcp/offers/guide.hpp"
#include "actors/mcp/offers/mcp_registry.hpp"
#include "actors/mcp/protocol/mcp_serializer.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

mcp_revision agreed_on(const std::string& version) {
  const auto named = parse_name<mcp_revision>(version);
  return named && era_of(*named) == mcp_era::legacy ? *named : newest_legacy_revision;
}

/// What the client told of itself before no longer counts.
void begin_anew(client_pointer self) {
  auto& state = self->state;
  state.level.reset();
  state.streaming = false;
  state.capabilities = json::object();
  caf::anon_send(state.throttler, clear_atom_v);
}

void note_client(client_state& state, const json& params) {
  if (const auto found = params.find("capabilities"); found != params.end() && found->is_object())
    state.capabilities = *found;
  if (const auto found = params.find("clientInfo"); found != params.end())
    if (auto name = text_parameter(*found, "name"))
      state.given_name = std::move(*name);
}

json capabilities_of(client_pointer self, mcp_revision revision) {
  return server_capabilities(revision, self->state.env.registry->lists_change);
}

} // namespace

void initialize(const request_context& context, const json& params) {
  auto* self = context.session();
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
  begin_anew(self);
  note_client(self->state, params);
  const auto revision = agreed_on(*version);
  self->state.revision = revision;
  context.answer({{"protocolVersion", name_of(revision)},
                  {"capabilities", capabilities_of(self, revision)},
                  {"serverInfo", server_info(revision)},
                  {"instructions", server_instructions()}});
}

void ping(const request_context& context, const json&) {
  context.answer(json::object());
}

void set_level(const request_context& context, const json& params) {
  auto& state = context.session()->state;
  const auto level = text_parameter(params, "level");
  const auto severity = level ? parse_name<log_severity>(*level) : std::nullopt;
  if (!severity) {
    context.fail(rpc_code::invalid_params,
                 "level must be one of " + all_names<log_severity>() + ".");
    return;
  }
  state.level = *severity;
  caf::anon_send(state.throttler, level_atom_v, *parse_name<level_floor>(*level));
  context.answer(json::object());
}

void discover(const request_context& context, const json&) {
  context.answer({{"supportedVersions", {name_of(context.revision())}},
                  {"capabilities", capabilities_of(context.session(), context.revision())},
                  {"instructions", server_instructions()}});
}

} // namespace gasoline
