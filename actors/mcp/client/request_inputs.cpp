#include "actors/mcp/client/request_inputs.hpp"

#include "actors/mcp/client/client_replies.hpp"
#include "actors/mcp/protocol/mcp_serializer.hpp"

#include <algorithm>
#include <iterator>

namespace gasoline {
namespace {

using nlohmann::json;

/// What a client must have declared to be asked for an input.
struct input_kind {
  std::string_view method;
  std::string_view capability;
};

constexpr input_kind input_kinds[] = {
    {"elicitation/create", "elicitation"},
    {"sampling/createMessage", "sampling"},
    {"roots/list", "roots"},
};

/// The requests that may ask for input.
constexpr std::string_view asking_methods[] = {"tools/call", "prompts/get", "resources/read"};

/// What makes a retry the same request: its method and what it names.
std::string fingerprint_of(const std::string& method, const json& params) {
  json parts{{"method", method}};
  for (const auto* key : {"name", "uri", "arguments"})
    if (const auto found = params.find(key); found != params.end())
      parts[key] = *found;
  return parts.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Who may use a state: the session, and within a shared one the client program.
std::string principal_of(client_pointer self, const open_request& request) {
  return std::to_string(self->state.id) +
         request.claims.client_info.dump(-1, ' ', false, json::error_handler_t::replace);
}

rpc_problem bad_inputs(const std::string& sentence) {
  return {rpc_code::invalid_params, sentence, nullptr};
}

/// The capabilities that the inputs need and the client lacks, as `requiredCapabilities` shows
/// them.
json missing_capabilities(const request_context& context, const json& inputs) {
  json missing = json::object();
  for (const auto& input : inputs) {
    const auto method = input.value("method", std::string{});
    for (const auto& kind : input_kinds)
      if (kind.method == method && !context.client_can(kind.capability))
        missing[std::string{kind.capability}] = json::object();
  }
  return missing;
}

} // namespace

std::optional<rpc_problem> read_inputs(client_pointer self, open_request& request,
                                       const json& params) {
  const bool can_ask = std::find(std::begin(asking_methods), std::end(asking_methods),
                                 request.method) != std::end(asking_methods);
  if (!can_ask || !params.is_object())
    return std::nullopt;
  request.fingerprint = fingerprint_of(request.method, params);
  if (const auto found = params.find("inputResponses"); found != params.end()) {
    if (!found->is_object())
      return bad_inputs("inputResponses must be an object of results by their key.");
    request.input_responses = *found;
  }
  const auto found = params.find("requestState");
  if (found == params.end())
    return std::nullopt;
  if (!found->is_string())
    return bad_inputs("requestState must be the text that the server gave, unchanged.");
  auto state = self->state.env.seal->open(found->get<std::string>(), principal_of(self, request),
                                          request.fingerprint, self->clock().now());
  if (!state)
    return bad_inputs(state.error().message);
  request.input_state = std::move(*state);
  return std::nullopt;
}

void ask_for_input(const request_context& context, json inputs, const json& state) {
  const auto& request = context.request();
  if (context.era() != mcp_era::modern) {
    context.fail(rpc_code::internal_error, "Only clients of 2026-07-28 can be asked this way.");
    return;
  }
  if (auto missing = missing_capabilities(context, inputs); !missing.empty()) {
    context.fail(rpc_code::capability_missing,
                 "This needs a client capability that was not declared in clientCapabilities.",
                 {{"requiredCapabilities", std::move(missing)}});
    return;
  }
  auto* self = context.session();
  std::string sealed;
  if (!state.is_null()) {
    const auto expires = self->clock().now() +
                         std::chrono::milliseconds{self->state.env.limit.client.request_state_ms};
    sealed = self->state.env.seal->seal(state, principal_of(self, *request), request->fingerprint,
                                        expires);
  }
  answer(self, request, input_required_result(std::move(inputs), sealed));
}

} // namespace gasoline
