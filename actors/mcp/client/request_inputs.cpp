#include "actors/mcp/client/request_inputs.hpp"

#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <chrono>
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
  return dumped(parts);
}

rpc_problem bad_inputs(const std::string& sentence) {
  return {rpc_code::invalid_params, sentence, nullptr};
}

} // namespace

/// Who may use a state: the client, and within a shared one the client program.
std::string request_inputs::principal_of(const open_request& request) const {
  return std::to_string(id_) + dumped(request.claims.client_info);
}

std::optional<rpc_problem> request_inputs::read(open_request& request, const json& params,
                                                mono_time now) const {
  const bool can_ask = std::find(std::begin(asking_methods), std::end(asking_methods),
                                 request.method) != std::end(asking_methods);
  if (!can_ask || !params.is_object())
    return std::nullopt;
  request.fingerprint = fingerprint_of(request.method, params);
  if (const auto found = params.find("inputResponses");
      found != params.end() && !found->is_null()) {
    if (!found->is_object())
      return bad_inputs("inputResponses must be an object of results by their key.");
    request.input_responses = *found;
  }
  const auto found = params.find("requestState");
  if (found == params.end() || found->is_null())
    return std::nullopt;
  if (!found->is_string())
    return bad_inputs("requestState must be the text that the server gave, unchanged.");
  auto state =
      env_.seal->open(found->get<std::string>(), principal_of(request), request.fingerprint, now);
  if (!state)
    return bad_inputs(state.error().message);
  request.input_state = std::move(*state);
  return std::nullopt;
}

std::string request_inputs::sealed(const json& state, const open_request& request,
                                   mono_time now) const {
  if (state.is_null())
    return {};
  const auto expires = now + std::chrono::milliseconds{env_.limit.client.request_state_ms};
  return env_.seal->seal(state, principal_of(request), request.fingerprint, expires);
}

json missing_capabilities(const json& declared, const json& inputs) {
  json missing = json::object();
  for (const auto& input : inputs) {
    const auto method = input.value("method", std::string{});
    for (const auto& kind : input_kinds)
      if (kind.method == method && !(declared.is_object() && declared.contains(kind.capability)))
        missing[std::string{kind.capability}] = json::object();
  }
  return missing;
}

} // namespace gasoline
