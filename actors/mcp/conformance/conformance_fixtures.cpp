#include "actors/mcp/conformance/conformance_fixtures.hpp"

#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp/offers/mcp_prompts.hpp"

#include <iterator>

namespace gasoline {
namespace {

using nlohmann::json;

template <class Row>
void append(std::vector<Row>& rows, std::vector<Row> more) {
  rows.insert(rows.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

} // namespace

const std::string_view conformance_png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg"
    "==";

void add_conformance_fixtures(mcp_registry& registry) {
  append(registry.tools, conformance_content_tools());
  append(registry.tools, conformance_interaction_tools());
  append(registry.tools, conformance_input_tools());
  append(registry.prompts, conformance_prompts());
  append(registry.resources, conformance_resources());
  append(registry.templates, conformance_resource_templates());
  registry.lists_change = true;
}

mcp_tool conformance_tool(std::string_view name, std::string_view description, request_handler call,
                          json input_schema) {
  if (input_schema.is_null())
    input_schema = {{"type", "object"}, {"properties", json::object()}};
  return {{name, "core", name, description, false, std::move(input_schema)}, std::move(call)};
}

void answer_text(const request_context& context, std::string text) {
  context.answer({{"content", {text_content(std::move(text))}}});
}

void answer_text_error(const request_context& context, std::string text) {
  context.answer({{"content", {text_content(std::move(text))}}, {"isError", true}});
}

json one_field_form(std::string_view message, std::string_view field, std::string_view type) {
  json properties = json::object();
  properties[std::string{field}] = {{"type", type}};
  return {{"message", message},
          {"requestedSchema",
           {{"type", "object"}, {"properties", std::move(properties)}, {"required", {field}}}}};
}

} // namespace gasoline
