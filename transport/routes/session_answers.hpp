#pragma once

#include "config/limits.hpp"
#include "messages/agents/session_actors.hpp"
#include "transport/http/http_router.hpp"

#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace gasoline {

/// The answer of a session or their registry as a response.
http_response session_response(const session_answer& answer);

/// An error as the routes of sessions answer it: code, sentence.
http_response refused_session(session_status status, std::string_view code, std::string message);

/// The body as a document, or what is wrong with it.
tl::expected<json_document, http_response> session_body(std::string_view body,
                                                        const limits_of<ingest_room>& limit);

} // namespace gasoline
