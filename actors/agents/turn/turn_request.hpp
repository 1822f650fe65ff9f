#pragma once

#include "config/settings.hpp"

#include <nlohmann/json.hpp>

namespace gasoline {

/// The content blocks of the user's message in the body of `POST /sessions/{id}/turns`:
/// `{"content":"text"}` or `{"content":[{"type":"text","text":"…"}]}`; `message` and `text` are
/// accepted in place of `content`, and a message object with a `content` of its own.
result_or<nlohmann::json> turn_content(const nlohmann::json& body);

} // namespace gasoline
