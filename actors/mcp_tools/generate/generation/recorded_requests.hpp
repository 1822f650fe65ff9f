#pragma once

#include "actors/mcp_tools/analyze/analysis/recorded_answer.hpp"
#include "messages/telemetry/event_refs.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// One request of a page or a program, as it was recorded.
struct recorded_request {
  const event* told = nullptr; ///< the entry that says most of it
  wall_time started{};
  double duration_ms = 0; ///< 0: not known
};

/// The requests among these steps, oldest first, each once: the browser's own timing of a request
/// whose answer was captured is left out.
std::vector<recorded_request> recorded_requests(event_span steps);

/// The address of the request: absolute, and a valid URI, what none may hold percent-encoded.
std::string absolute_url(const event& e);

/// The method of the request; `GET` where none was told.
std::string request_method(const event& e);

/// The media type of the answer, without parameters; empty: not known.
std::string answer_type(const event& e);

/// The text as a URI, its own escapes kept.
std::string valid_uri(std::string_view url);

} // namespace gasoline
