#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp/conformance/conformance_fixtures.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"

#include <algorithm>

namespace gasoline {
namespace {

using nlohmann::json;

json elicitation_request(json params) {
  return {{"method", "elicitation/create"}, {"params", std::move(params)}};
}

json sampling_request(std::string_view text, int max_tokens) {
  return {{"method", "sampling/createMessage"},
          {"params",
           {{"messages", {{{"role", "user"}, {"content", {{"type", "text"}, {"text", text}}}}}},
            {"maxTokens", max_tokens}}}};
}

json roots_request() {
  return {{"method", "roots/list"}, {"params", json::object()}};
}

json name_request() {
  return elicitation_request(one_field_form("What is your name?", "name"));
}

/// Whether a form came back filled in, or was declined or cancelled.
bool is_form_answer(const json& answer) {
  const auto action = text_parameter(answer, "action");
  if (action == "decline" || action == "cancel")
    return true;
  const auto content = answer.is_object() ? answer.find("content") : answer.end();
  return action == "accept" && content != answer.end() && content->is_object();
}

bool is_sampling_answer(const json& answer) {
  return answer.is_object() && answer.contains("content") && text_parameter(answer, "role");
}

bool is_roots_answer(const json& answer) {
  const auto roots = answer.is_object() ? answer.find("roots") : answer.end();
  return answer.is_object() && roots != answer.end() && roots->is_array();
}

bool fits(const json& request, const json& answer) {
  const auto& method = request.at("method");
  if (method == "elicitation/create")
    return is_form_answer(answer);
  if (method == "sampling/createMessage")
    return is_sampling_answer(answer);
  return is_roots_answer(answer);
}

/// Whether every request has an answer of its kind.
bool all_answered(const request_context& context, const json& requests) {
  return std::all_of(requests.items().begin(), requests.items().end(), [&](const auto& request) {
    const auto* answer = context.input(request.key());
    return answer && fits(request.value(), *answer);
  });
}

/// A field of a form that came back; empty when it was declined.
std::string field_of(const request_context& context, std::string_view key,
                     const std::string& field) {
  const auto content = context.input(key)->value("content", json::object());
  return text_parameter(content, field).value_or("");
}

/// The legacy eras have no such results.
request_handler modern_only(request_handler handler) {
  return [handler = std::move(handler)](const request_context& context, const json& arguments) {
    if (context.era() == mcp_era::modern)
      handler(context, arguments);
    else
      answer_text_error(context, "This tool needs the protocol version 2026-07-28.");
  };
}

void ask_name(const request_context& context, const json&) {
  const json requests{{"user_name", name_request()}};
  if (!all_answered(context, requests))
    context.need_input(requests);
  else
    answer_text(context, "Hello, " + field_of(context, "user_name", "name") + "!");
}

void ask_model(const request_context& context, const json&) {
  const json requests{
      {"capital_question", sampling_request("What is the capital of France?", 100)}};
  if (!all_answered(context, requests)) {
    context.need_input(requests);
    return;
  }
  const auto content = context.input("capital_question")->value("content", json::object());
  answer_text(context, text_parameter(content, "text").value_or("The model answered no text."));
}

void ask_roots(const request_context& context, const json&) {
  const json requests{{"client_roots", roots_request()}};
  if (!all_answered(context, requests)) {
    context.need_input(requests);
    return;
  }
  std::string text{"Roots:"};
  for (const auto& root : context.input("client_roots")->at("roots"))
    text += " " + text_parameter(root, "uri").value_or("?");
  answer_text(context, text);
}

/// Completes only with the state of its first round.
void confirm_with_state(const request_context& context, const json&) {
  const json requests{
      {"confirm", elicitation_request(one_field_form("Please confirm", "ok", "boolean"))}};
  const json state{{"step", "confirm"}};
  if (context.input_state() != state || !all_answered(context, requests))
    context.need_input(requests, state);
  else
    answer_text(context, "Confirmed: state-ok");
}

void ask_everything(const request_context& context, const json&) {
  const json requests{{"user_name", name_request()},
                      {"greeting", sampling_request("Generate a greeting", 50)},
                      {"client_roots", roots_request()}};
  const json state{{"step", "everything"}};
  if (context.input_state() != state || !all_answered(context, requests))
    context.need_input(requests, state);
  else
    answer_text(context, "All three answers arrived.");
}

void ask_in_rounds(const request_context& context, const json&) {
  const json first{
      {"step1", elicitation_request(one_field_form("Step 1: What is your name?", "name"))}};
  const json second{{"step2", elicitation_request(one_field_form(
                                  "Step 2: What is your favorite color?", "color"))}};
  const auto& state = context.input_state();
  const auto round = state.is_object() ? state.value("round", 0) : 0;
  if (round == 1 && all_answered(context, first))
    context.need_input(second, {{"round", 2}, {"name", field_of(context, "step1", "name")}});
  else if (round == 2 && !all_answered(context, second))
    context.need_input(second, state);
  else if (round == 2)
    answer_text(context,
                state.value("name", "") + " likes " + field_of(context, "step2", "color") + ".");
  else
    context.need_input(first, {{"round", 1}});
}

/// Asks only for what the client has declared.
void ask_what_client_can(const request_context& context, const json&) {
  struct row {
    std::string_view capability;
    std::string_view key;
    json request;
  };
  const row rows[] = {
      {"elicitation", "user_name", name_request()},
      {"sampling", "greeting", sampling_request("Generate a greeting", 50)},
      {"roots", "client_roots", roots_request()},
  };
  json requests = json::object();
  for (const auto& r : rows)
    if (context.client_can(r.capability))
      requests[std::string{r.key}] = r.request;
  if (requests.empty())
    answer_text(context, "The client declared nothing that it could be asked for.");
  else if (!all_answered(context, requests))
    context.need_input(requests);
  else
    answer_text(context, "Every answer arrived.");
}

void need_sampling(const request_context& context, const json&) {
  if (context.client_can("sampling"))
    answer_text(context, "The client declared sampling.");
  else
    context.fail(rpc_code::capability_missing,
                 "The client must declare the capability sampling for this tool.",
                 {{"requiredCapabilities", {{"sampling", json::object()}}}});
}

/// Streams something before the question, which must not become a request of its own.
void progress_then_ask(const request_context& context, const json& arguments) {
  context.progress(1, std::nullopt, "About to ask");
  ask_name(context, arguments);
}

} // namespace

std::vector<mcp_tool> conformance_input_tools() {
  return {
      conformance_tool("test_input_required_result_elicitation", "Asks for a name",
                       modern_only(ask_name)),
      conformance_tool("test_input_required_result_sampling", "Asks the client's model",
                       modern_only(ask_model)),
      conformance_tool("test_input_required_result_list_roots", "Asks for the roots",
                       modern_only(ask_roots)),
      conformance_tool("test_input_required_result_request_state", "Asks with a state",
                       modern_only(confirm_with_state)),
      conformance_tool("test_input_required_result_tampered_state", "Refuses a changed state",
                       modern_only(confirm_with_state)),
      conformance_tool("test_input_required_result_multiple_inputs", "Asks for three things",
                       modern_only(ask_everything)),
      conformance_tool("test_input_required_result_multi_round", "Asks twice",
                       modern_only(ask_in_rounds)),
      conformance_tool("test_input_required_result_capabilities", "Asks for what the client has",
                       modern_only(ask_what_client_can)),
      conformance_tool("test_missing_capability", "Needs a client with sampling",
                       modern_only(need_sampling)),
      conformance_tool("test_streaming_elicitation", "Reports progress, then asks",
                       modern_only(progress_then_ask)),
  };
}

} // namespace gasoline
