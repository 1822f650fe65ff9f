#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gasoline {

// What the public conformance suites call. Listed only
// under `gasoline serve --conformance-fixtures`; names, texts and values are the suites'.

/// Adds all of it behind what users get.
void add_conformance_fixtures(mcp_registry& registry);

/// Tools that answer with each kind of content, with progress, logs or an error.
std::vector<mcp_tool> conformance_content_tools();

/// Tools that ask the client in the legacy way, end a stream early or change a list.
std::vector<mcp_tool> conformance_interaction_tools();

/// Tools that answer `input_required` (2026-07-28).
std::vector<mcp_tool> conformance_input_tools();

/// The prompts, one of which answers `input_required`.
std::vector<mcp_prompt> conformance_prompts();

/// The resources `test://…` and the template `test://template/{id}/data`.
std::vector<mcp_resource> conformance_resources();
std::vector<mcp_resource_template> conformance_resource_templates();

/// A fixture tool as the registry holds it; without a schema it takes no arguments.
mcp_tool conformance_tool(std::string_view name, std::string_view description, request_handler call,
                          nlohmann::json input_schema = nullptr);

/// Answers a tool call with one text, or with one text and `isError`.
void answer_text(const request_context& context, std::string text);
void answer_text_error(const request_context& context, std::string text);

/// The params of an `elicitation/create` whose form has one required field.
nlohmann::json one_field_form(std::string_view message, std::string_view field,
                              std::string_view type = "string");

/// A red pixel as PNG, in base64.
extern const std::string_view conformance_png;

} // namespace gasoline
