#pragma once

#include "actors/mcp/offers/mcp_registry.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gasoline {

/// `triage` (what is broken right now, with evidence) and `explain_alert`. Their texts embed live
/// data, one JSON document a line, so that nothing a page wrote can pass for the text around it.
/// They mark no alert as read: a client may show a prompt to its user without sending it.
std::vector<mcp_prompt> core_prompts();

/// `prompts/list`: one page.
void prompts_list(const request_context& context, const nlohmann::json& params);

/// `prompts/get`; an unknown prompt or a missing argument is `invalid_params`.
void prompts_get(const request_context& context, const nlohmann::json& params);

/// One message of a prompt from the user with that content.
nlohmann::json user_message(nlohmann::json content);

/// A text as content.
nlohmann::json text_content(std::string text);

} // namespace gasoline
