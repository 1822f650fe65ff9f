#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What resources of documents are, for `mimeType`.
inline constexpr std::string_view json_media_type{"application/json"};

/// The resources and templates that users get. The live ones hold what the matching `observe` or
/// `configure` call answers, as one JSON document. Reading marks no alert as read: clients read
/// resources for previews, caches and refreshes, so it proves nothing about what a model has seen.
std::vector<mcp_resource> core_resources(const std::vector<mcp_tool>& tools);
std::vector<mcp_resource_template> core_resource_templates();

/// `resources/list`: one page.
void resources_list(const request_context& context, const nlohmann::json& params);

/// `resources/templates/list`: one page.
void resource_templates_list(const request_context& context, const nlohmann::json& params);

/// `resources/read`; an unknown URI is `resource_not_found` with `data.uri`.
void resources_read(const request_context& context, const nlohmann::json& params);

/// Refuses a cursor, since every list has one page; true when it has been answered.
bool refuse_cursor(const request_context& context, const nlohmann::json& params);

/// Answers `resources/read` with one text.
void answer_text_resource(const request_context& context, std::string_view uri,
                          std::string_view mime_type, std::string text);

/// Fails with `resource_not_found`, the sentence and `data.uri`.
void fail_not_found(const request_context& context, std::string_view uri);

} // namespace gasoline
