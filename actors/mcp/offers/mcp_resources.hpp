#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace gasoline {

class request_context;

/// What resources of documents are, for `mimeType`.
inline constexpr std::string_view json_media_type{"application/json"};

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
