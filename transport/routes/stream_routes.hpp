#pragma once

#include "config/limits.hpp"
#include "messages/streams/named_stream.hpp"
#include "transport/http/http_router.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Who serves `GET /streams/{name}/events`.
using stream_events_handler = std::function<void(const std::string& stream, asking_party caller,
                                                 const http_call& call, const http_reply& reply)>;

/// What the routes of named streams call, on the io thread; must not block.
struct stream_services {
  std::function<void(stream_request_ptr)> ask; ///< hands a command to the registry of streams
  stream_events_handler events;
};

/// The rows of the named streams: `GET` and `POST /streams`, `GET` and `DELETE /streams/{name}`,
/// `GET` and `POST /streams/{name}/events`.
std::vector<http_route> stream_routes(stream_services services,
                                      const limits_of<http_room, result_room>& limit);

/// The answer of the registry as a response.
http_response stream_response(stream_answer answer);

} // namespace gasoline
