#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp/conformance/conformance_fixtures.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"
#include "messages/base/json/json_text.hpp"

#include <chrono>

namespace gasoline {
namespace {

using nlohmann::json;

/// How long the client has for coming back before the answer is there.
constexpr std::chrono::milliseconds reconnection_pause{100};

/// Asks the client in the legacy way; a client without the capability gets an error result.
void ask_client(const request_context& context, std::string_view capability,
                std::string_view method, json params, std::function<void(const json& reply)> then) {
  if (context.era() == mcp_era::modern || !context.client_can(capability)) {
    answer_text_error(context, "The client cannot be asked for " + std::string{capability} + ".");
    return;
  }
  context.ask(method, std::move(params), [context, then = std::move(then)](const json& reply) {
    if (reply.contains("error"))
      answer_text_error(context, "The client refused: " + dumped(reply.at("error")));
    else
      then(reply);
  });
}

void elicit(const request_context& context, json params, const std::string& introduction) {
  ask_client(context, "elicitation", "elicitation/create", std::move(params),
             [context, introduction](const json& reply) {
               answer_text(context, introduction + "action=" + reply.value("action", "") +
                                        ", content=" + dumped(reply.value("content", json())));
             });
}

void sampling(const request_context& context, const json& arguments) {
  const auto prompt = text_parameter(arguments, "prompt");
  if (!prompt) {
    answer_text_error(context, "prompt is missing: the text to complete.");
    return;
  }
  ask_client(
      context, "sampling", "sampling/createMessage",
      {{"messages", {{{"role", "user"}, {"content", {{"type", "text"}, {"text", *prompt}}}}}},
       {"maxTokens", 100}},
      [context](const json& reply) {
        const auto content = reply.value("content", json());
        answer_text(context, "LLM response: " + text_parameter(content, "text").value_or(""));
      });
}

void elicitation(const request_context& context, const json& arguments) {
  const auto message = text_parameter(arguments, "message");
  if (!message) {
    answer_text_error(context, "message is missing: what to ask the user.");
    return;
  }
  elicit(context,
         {{"message", *message},
          {"requestedSchema",
           {{"type", "object"},
            {"properties",
             {{"username", {{"type", "string"}, {"description", "User's response"}}},
              {"email", {{"type", "string"}, {"description", "User's email address"}}}}},
            {"required", {"username", "email"}}}}},
         "User response: ");
}

void elicitation_defaults(const request_context& context, const json&) {
  elicit(context,
         {{"message", "Please check these values"},
          {"requestedSchema",
           {{"type", "object"},
            {"properties",
             {{"name", {{"type", "string"}, {"default", "John Doe"}}},
              {"age", {{"type", "integer"}, {"default", 30}}},
              {"score", {{"type", "number"}, {"default", 95.5}}},
              {"status",
               {{"type", "string"},
                {"enum", {"active", "inactive", "pending"}},
                {"default", "active"}}},
              {"verified", {{"type", "boolean"}, {"default", true}}}}},
            {"required", json::array()}}}},
         "Elicitation completed: ");
}

/// `{const, title}` of three options.
json titled_options(std::string_view kind) {
  json out = json::array();
  constexpr std::string_view ordinals[] = {"First", "Second", "Third"};
  for (std::size_t i = 0; i < std::size(ordinals); ++i)
    out.push_back({{"const", "value" + std::to_string(i + 1)},
                   {"title", std::string{ordinals[i]} + " " + std::string{kind}}});
  return out;
}

void elicitation_enums(const request_context& context, const json&) {
  const json options{"option1", "option2", "option3"};
  elicit(
      context,
      {{"message", "Please choose"},
       {"requestedSchema",
        {{"type", "object"},
         {"properties",
          {{"untitledSingle", {{"type", "string"}, {"enum", options}}},
           {"titledSingle", {{"type", "string"}, {"oneOf", titled_options("Option")}}},
           {"legacyEnum",
            {{"type", "string"},
             {"enum", {"opt1", "opt2", "opt3"}},
             {"enumNames", {"Option One", "Option Two", "Option Three"}}}},
           {"untitledMulti",
            {{"type", "array"}, {"items", {{"type", "string"}, {"enum", options}}}}},
           {"titledMulti", {{"type", "array"}, {"items", {{"anyOf", titled_options("Choice")}}}}}}},
         {"required", json::array()}}}},
      "Elicitation completed: ");
}

void reconnection(const request_context& context, const json&) {
  context.close_stream();
  context.after(reconnection_pause,
                [context] { answer_text(context, "Answered after the stream was closed."); });
}

/// Tells every client of the engine.
void announce_list_changed(const request_context& context, listed_kind kind) {
  if (const auto engine = caf::actor_cast<engine_actor>(context.engine().engine))
    caf::anon_send(engine, changed_atom_v, kind);
}

void trigger_tool_change(const request_context& context, const json&) {
  announce_list_changed(context, listed_kind::tools);
  answer_text(context, "Told those who listen that the tools changed.");
}

void trigger_prompt_change(const request_context& context, const json&) {
  announce_list_changed(context, listed_kind::prompts);
  answer_text(context, "Told those who listen that the prompts changed.");
}

json text_schema(std::string_view name) {
  json properties = json::object();
  properties[std::string{name}] = {{"type", "string"}};
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", {name}}};
}

} // namespace

std::vector<mcp_tool> conformance_interaction_tools() {
  return {
      conformance_tool("test_sampling", "Asks the client's model", sampling, text_schema("prompt")),
      conformance_tool("test_elicitation", "Asks the user", elicitation, text_schema("message")),
      conformance_tool("test_elicitation_sep1034_defaults", "Asks the user with default values",
                       elicitation_defaults),
      conformance_tool("test_elicitation_sep1330_enums", "Asks the user to choose",
                       elicitation_enums),
      conformance_tool("test_reconnection", "Closes the stream before it answers", reconnection),
      conformance_tool("test_trigger_tool_change", "Announces changed tools", trigger_tool_change),
      conformance_tool("test_trigger_prompt_change", "Announces changed prompts",
                       trigger_prompt_change),
  };
}

} // namespace gasoline
