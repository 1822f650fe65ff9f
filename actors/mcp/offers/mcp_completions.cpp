#include "actors/mcp/offers/mcp_completions.hpp"

#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp/offers/mcp_registry.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"

#include <algorithm>

namespace gasoline {
namespace {

using nlohmann::json;

/// The argument that is being typed, once found: where its values come from.
using found_argument = result_or<value_source>;

tl::unexpected<user_error> refuse(std::string sentence) {
  return tl::unexpected(user_error{std::move(sentence)});
}

found_argument argument_of(const mcp_prompt& prompt, const std::string& name) {
  const auto found =
      std::find_if(prompt.arguments.begin(), prompt.arguments.end(),
                   [&](const mcp_prompt_argument& argument) { return argument.name == name; });
  if (found == prompt.arguments.end())
    return refuse("The prompt " + std::string{prompt.name} + " has no argument of that name.");
  return found->values;
}

found_argument argument_of(const mcp_resource_template& family, const std::string& name) {
  if (name != family.variable)
    return refuse("The only variable of " + family.uri_template() + " is " +
                  std::string{family.variable} + ".");
  return family.values;
}

found_argument prompt_argument(const mcp_registry& registry, const json& ref,
                               const std::string& name) {
  const auto* prompt = registry.find_prompt(text_parameter(ref, "name").value_or(""));
  if (!prompt)
    return refuse("ref names no prompt; prompts/list names those that exist.");
  return argument_of(*prompt, name);
}

found_argument resource_argument(const mcp_registry& registry, const json& ref,
                                 const std::string& name) {
  const auto uri = text_parameter(ref, "uri").value_or("");
  for (const auto& family : registry.templates)
    if (family.uri_template() == uri)
      return argument_of(family, name);
  if (registry.find_resource(uri))
    return value_source{};
  return refuse("ref names no resource template; resources/templates/list names those that exist.");
}

found_argument find_argument(const mcp_registry& registry, const json& ref,
                             const std::string& name) {
  const auto type = text_parameter(ref, "type");
  if (type == "ref/prompt")
    return prompt_argument(registry, ref, name);
  if (type == "ref/resource")
    return resource_argument(registry, ref, name);
  return refuse("ref.type must be ref/prompt or ref/resource.");
}

void answer_values(const request_context& context, const std::vector<std::string>& values,
                   std::string_view typed) {
  const auto most = context.limit().client.completion_values;
  json shown = json::array();
  std::uint64_t total = 0;
  for (const auto& value : values) {
    if (!value.starts_with(typed))
      continue;
    if (total++ < most)
      shown.push_back(value);
  }
  context.answer({{"completion",
                   {{"values", std::move(shown)}, {"total", total}, {"hasMore", total > most}}}});
}

} // namespace

void completion_complete(const request_context& context, const json& params) {
  const auto argument = params.is_object() ? params.value("argument", json()) : json();
  const auto name = text_parameter(argument, "name");
  const auto typed = text_parameter(argument, "value");
  if (!name || !typed) {
    context.fail(rpc_code::invalid_params,
                 "argument must have a name and the value typed so far, both texts.");
    return;
  }
  const auto source = find_argument(context.registry(), params.value("ref", json()), *name);
  if (!source)
    context.fail(rpc_code::invalid_params, source.error().message);
  else if (!*source)
    answer_values(context, {}, *typed);
  else
    (*source)(context, [context, typed = *typed](const std::vector<std::string>& values) {
      answer_values(context, values, typed);
    });
}

} // namespace gasoline
