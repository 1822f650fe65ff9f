#pragma once

#include "actors/mcp_tools/analyze/analysis/json_shape.hpp"
#include "actors/resolution/deed_words.hpp"
#include "messages/telemetry/event_refs.hpp"

#include <map>
#include <string_view>

namespace gasoline {

/// What an endpoint answers when it succeeds, and what it answered before.
struct answer_shapes {
  json_shape now;
  json_shape before; ///< empty: nothing is known of it
};

/// By `GET /api/items/:id`. Of the newest answers of each endpoint; where nothing came before
/// `events`, the older half of its answers stands for what was before. Both oldest first. What
/// `wording` has worded already, among other events, is not worded once more.
std::map<std::string_view, answer_shapes> shapes_of(event_span earlier, event_span events,
                                                    request_wording& wording);

} // namespace gasoline
