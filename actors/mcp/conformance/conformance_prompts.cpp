#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp/conformance/conformance_fixtures.hpp"
#include "actors/mcp/offers/mcp_prompts.hpp"
#include "actors/mcp/offers/mcp_resources.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"
#include "messages/base/json/json_text.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view static_text_uri = "test://static-text";
constexpr std::string_view static_text = "This is the content of the static text resource.";
constexpr std::string_view static_binary_uri = "test://static-binary";
constexpr std::string_view watched_uri = "test://watched-resource";

void answer_messages(const request_context& context, std::vector<json> messages) {
  context.answer({{"messages", std::move(messages)}});
}

void answer_text_message(const request_context& context, std::string text) {
  answer_messages(context, {user_message(text_content(std::move(text)))});
}

void simple_prompt(const request_context& context, const json&) {
  answer_text_message(context, "This is a simple prompt for testing.");
}

void prompt_with_arguments(const request_context& context, const json& arguments) {
  answer_text_message(context, "Prompt with arguments: arg1='" +
                                   arguments.at("arg1").get<std::string>() + "', arg2='" +
                                   arguments.at("arg2").get<std::string>() + "'");
}

void prompt_with_resource(const request_context& context, const json& arguments) {
  const json resource{{"uri", arguments.at("resourceUri")},
                      {"mimeType", "text/plain"},
                      {"text", "Embedded resource content for testing."}};
  answer_messages(context,
                  {user_message({{"type", "resource"}, {"resource", resource}}),
                   user_message(text_content("Please process the embedded resource above."))});
}

void prompt_with_image(const request_context& context, const json&) {
  answer_messages(
      context,
      {user_message({{"type", "image"}, {"data", conformance_png}, {"mimeType", "image/png"}}),
       user_message(text_content("Please analyze the image above."))});
}

void prompt_that_asks(const request_context& context, const json&) {
  const auto* answer = context.input("user_context");
  const auto content = answer && answer->is_object() ? answer->value("content", json()) : json();
  if (const auto text = text_parameter(content, "context")) {
    answer_text_message(context, "Use this context: " + *text);
    return;
  }
  if (context.era() == mcp_era::legacy) {
    context.fail(rpc_code::invalid_params, "This prompt needs the protocol version 2026-07-28.");
    return;
  }
  context.need_input(
      {{"user_context",
        {{"method", "elicitation/create"},
         {"params", one_field_form("What context should the prompt use?", "context")}}}});
}

void paris_and_others(const request_context&,
                      const std::function<void(const std::vector<std::string>&)>& then) {
  then({"paris", "park", "party", "test", "testing"});
}

void read_static_text(const request_context& context, const json&) {
  answer_text_resource(context, static_text_uri, "text/plain", std::string{static_text});
}

void read_static_binary(const request_context& context, const json&) {
  context.answer(
      {{"contents",
        {{{"uri", static_binary_uri}, {"mimeType", "image/png"}, {"blob", conformance_png}}}}});
}

void read_watched(const request_context& context, const json&) {
  answer_text_resource(context, watched_uri, "text/plain", "Watched, and always the same.");
}

void read_template(const request_context& context, const json& parameters) {
  const auto id = parameters.at("id").get<std::string>();
  const json data{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}};
  answer_text_resource(context, parameters.at("uri").get<std::string>(), "application/json",
                       dumped(data));
}

} // namespace

std::vector<mcp_prompt> conformance_prompts() {
  return {
      {"test_simple_prompt", "Simple prompt", "Takes no arguments", {}, simple_prompt},
      {"test_prompt_with_arguments",
       "Prompt with arguments",
       "Shows both of its arguments",
       {{"arg1", "The first argument", true, paris_and_others},
        {"arg2", "The second argument", true, nullptr}},
       prompt_with_arguments},
      {"test_prompt_with_embedded_resource",
       "Prompt with a resource",
       "Embeds the resource that it is given",
       {{"resourceUri", "URI of the resource to embed", true, nullptr}},
       prompt_with_resource},
      {"test_prompt_with_image", "Prompt with an image", "Shows an image", {}, prompt_with_image},
      {"test_input_required_result_prompt",
       "Prompt that asks",
       "Asks for a context first",
       {},
       prompt_that_asks},
  };
}

std::vector<mcp_resource> conformance_resources() {
  return {
      {static_text_uri, "static-text", "Static text", "A text that never changes", "text/plain",
       static_text.size(), read_static_text},
      {static_binary_uri, "static-binary", "Static binary", "An image that never changes",
       "image/png", std::nullopt, read_static_binary},
      {watched_uri, "watched-resource", "Watched resource", "A resource to subscribe to",
       "text/plain", std::nullopt, read_watched},
  };
}

std::vector<mcp_resource_template> conformance_resource_templates() {
  return {
      {"test://template/", "id", "/data", "template", "Template", "Data of one id",
       "application/json", nullptr, read_template},
  };
}

} // namespace gasoline
