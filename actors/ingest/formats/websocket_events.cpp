#include "actors/ingest/decoding/entry_list.hpp"
#include "actors/ingest/formats/format_table.hpp"

namespace gasoline {
namespace {

constexpr key_slot socket_keys[] = {
    {"ts", slot::time},      {"timestamp", slot::time}, {"event", slot::name}, {"url", slot::url},
    {"data", slot::message}, {"code", slot::status},    {"page", slot::page},
};

std::optional<std::string> finish_socket(entry_draft& draft) {
  if (draft.event.name.empty())
    return "a WebSocket event needs `event`: open, message, close or error";
  return std::nullopt;
}

constexpr entry_shape socket_shape{telemetry_kind::socket, "events", socket_keys, finish_socket};

result_or<decoded_body> decode_sockets(std::string& body, const decode_context& context) {
  return decode_entries(socket_shape, body, context);
}

} // namespace

/// `POST /websocket-events`: what happened to WebSockets.
constinit const ingest_format websocket_events_format{
    .route = {"websocket_events", "/websocket-events", &http_room::http_limits::body_bytes},
    .decode = decode_sockets,
    .answer = answer_entries,
    .recorded = recorded_form{telemetry_kind::socket, "events"},
    .shed_sentence = {},
};

} // namespace gasoline
