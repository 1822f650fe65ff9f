#pragma once

#include "messages/agents/session_actors.hpp"

namespace gasoline {

/// Reads the body of `POST /sessions` into a session without id and time; on a fault, the answer.
/// `trusted`: the caller has shown the token of the token file.
tl::expected<session_summary, session_answer>
read_session_request(const nlohmann::json& body, bool trusted, const session_services& services,
                     const limits_of<session_room>& limit);

/// What a session keeps in memory of the texts that it was made with, in bytes.
std::uint64_t session_text_bytes(const session_summary& session);

} // namespace gasoline
