#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace gasoline {

class request_context;

/// `prompts/list`: one page.
void prompts_list(const request_context& context, const nlohmann::json& params);

/// `prompts/get`; an unknown prompt or a missing argument is `invalid_params`.
void prompts_get(const request_context& context, const nlohmann::json& params);

/// One message of a prompt from the user with that content.
nlohmann::json user_message(nlohmann::json content);

/// A text as content.
nlohmann::json text_content(std::string text);

} // namespace gasoline
