#pragma once

#include "config/settings.hpp"
#include "messages/agents/http_fetch.hpp"
#include "messages/agents/model_call.hpp"

#include <string>
#include <string_view>

namespace gasoline {

/// The request of a call to the Anthropic Messages API. An empty key sends none.
fetch_request anthropic_request(const model_call& call, const provider_settings& provider,
                                std::string_view key,
                                const limits_of<ingest_room, session_room>& limit);

/// The request of a call to a server with OpenAI's Chat Completions. An empty key sends none.
fetch_request openai_request(const model_call& call, const provider_settings& provider,
                             std::string_view key,
                             const limits_of<ingest_room, session_room>& limit);

} // namespace gasoline
