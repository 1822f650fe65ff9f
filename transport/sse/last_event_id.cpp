#include "transport/sse/last_event_id.hpp"

#include "transport/http/head/url_encoding.hpp"

namespace gasoline {

std::optional<std::string> last_event_id(const http_call& call) {
  if (const auto header = call.head.field("Last-Event-ID"))
    return std::string{*header};
  for (const auto* name : {"lastEventId", "last_event_id", "lastEventID"})
    if (auto given = query_parameter(call.query, name))
      return given;
  return std::nullopt;
}

} // namespace gasoline
