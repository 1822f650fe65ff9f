#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// Why no telemetry has arrived, as far as the health document tells, and what to do about it: the
/// engine refuses the page's origin, the page has loaded the script but may not send, or nobody has
/// asked for the script yet. Sentences; the first begins with "no
/// telemetry", in lower case, for it follows a colon.
std::string absence_of_telemetry(const nlohmann::json& health);

/// The page that was turned away last when it wanted to send telemetry, how often, and what makes
/// the engine take it; nothing: none was.
std::optional<std::string> refused_page(const nlohmann::json& health);

/// The last callers that were turned away, a line each, the newest first: who, what, how often,
/// why.
std::vector<std::string> refused_callers(const nlohmann::json& health);

} // namespace gasoline
