#include "actors/mcp/offers/mcp_prompts.hpp"

#include "actors/mcp/offers/mcp_registry.hpp"
#include "actors/mcp/offers/mcp_resources.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

json shown(const mcp_prompt& prompt) {
  json arguments = json::array();
  for (const auto& argument : prompt.arguments)
    arguments.push_back({{"name", argument.name},
                         {"description", argument.description},
                         {"required", argument.required}});
  return {{"name", prompt.name},
          {"title", prompt.title},
          {"description", prompt.description},
          {"arguments", std::move(arguments)}};
}

std::string prompt_names(const mcp_registry& registry) {
  std::string out;
  for (const auto& prompt : registry.prompts)
    out += (out.empty() ? "" : ", ") + std::string{prompt.name};
  return out;
}

/// What is wrong with the arguments; empty: nothing.
std::string argument_problem(const mcp_prompt& prompt, const json& arguments) {
  if (!arguments.is_object())
    return "arguments must be an object of texts.";
  for (const auto& [name, value] : arguments.items())
    if (!value.is_string())
      return "The argument " + name + " must be a text.";
  for (const auto& argument : prompt.arguments)
    if (argument.required && !text_parameter(arguments, argument.name))
      return "The argument " + std::string{argument.name} + " of the prompt " +
             std::string{prompt.name} + " is missing: " + std::string{argument.description};
  return {};
}

} // namespace

json user_message(json content) {
  return {{"role", "user"}, {"content", std::move(content)}};
}

json text_content(std::string text) {
  return {{"type", "text"}, {"text", std::move(text)}};
}

void prompts_list(const request_context& context, const json& params) {
  if (refuse_cursor(context, params))
    return;
  json prompts = json::array();
  for (const auto& prompt : context.registry().prompts)
    prompts.push_back(shown(prompt));
  context.answer({{"prompts", std::move(prompts)}});
}

void prompts_get(const request_context& context, const json& params) {
  const auto& registry = context.registry();
  const auto name = text_parameter(params, "name");
  const auto* prompt = name ? registry.find_prompt(*name) : nullptr;
  if (!prompt) {
    context.fail(rpc_code::invalid_params,
                 "Unknown prompt; the prompts are " + prompt_names(registry) + ".");
    return;
  }
  const auto given = params.find("arguments");
  auto arguments = given == params.end() || given->is_null() ? json::object() : *given;
  if (arguments.is_object())
    std::erase_if(arguments.get_ref<json::object_t&>(),
                  [](const auto& argument) { return argument.second.is_null(); });
  if (const auto problem = argument_problem(*prompt, arguments); !problem.empty())
    context.fail(rpc_code::invalid_params, problem);
  else
    prompt->get(context, arguments);
}

} // namespace gasoline
