#include "transport/routes/session_followers.hpp"

#include "messages/base/letters.hpp"
#include "transport/http/head/header_text.hpp"
#include "transport/http/head/url_encoding.hpp"
#include "transport/sse/sse_response.hpp"
#include "transport/sse/watcher_event_stream.hpp"
#include "transport/websocket/watcher_socket.hpp"
#include "transport/websocket/websocket_handshake.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

/// Tells the socket when its upgrade is not carried out, since the client has gone.
class socket_offer {
 public:
  explicit socket_offer(std::shared_ptr<watcher_socket> socket) : socket_(std::move(socket)) {}
  socket_offer(const socket_offer&) = delete;
  socket_offer& operator=(const socket_offer&) = delete;
  ~socket_offer() {
    if (socket_)
      socket_->abandon();
  }

  void take(http_takeover& from, const limits_of<http_room, session_room>& limit) {
    std::exchange(socket_, nullptr)->start(from, limit);
  }

 private:
  std::shared_ptr<watcher_socket> socket_;
};

/// The elements of a comma-separated parameter as an array; null when it is not there.
json list_parameter(std::string_view query, std::string_view name) {
  const auto text = query_parameter(query, name);
  if (!text)
    return nullptr;
  auto out = json::array();
  for (std::string_view rest = *text; !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    if (const auto one = trimmed(rest.substr(0, comma)); !one.empty())
      out.push_back(one);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return out;
}

/// A parameter that is true or false, as people write it; not there: false.
result_or<bool> flag_parameter(std::string_view query, std::string_view name) {
  const auto given = query_parameter(query, name);
  const auto is = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return ascii::same_letters(*given, word); });
  };
  if (!given || is({"false", "0", "no"}))
    return false;
  if (is({"", "true", "1", "yes"}))
    return true;
  return tl::make_unexpected(user_error{"'" + std::string{name} + "' must be true or false."});
}

result_or<json> filter_of(std::string_view query) {
  if (const auto preset = query_parameter(query, "filter")) {
    for (const char* other : {"event_types", "actors", "include_worker_sessions"})
      if (query_parameter(query, other))
        return tl::make_unexpected(user_error{std::string{"Give either a preset as 'filter' or '"} +
                                              other + "', not both."});
    return json(*preset);
  }
  const auto with_workers = flag_parameter(query, "include_worker_sessions");
  if (!with_workers)
    return tl::make_unexpected(with_workers.error());
  return json{{"event_types", list_parameter(query, "event_types")},
              {"actors", list_parameter(query, "actors")},
              {"include_worker_sessions", *with_workers}};
}

/// The subscribe frame that the parameters of `GET /sessions/{id}/events` stand for.
result_or<json> subscription_of(const http_call& call) {
  const auto filter = filter_of(call.query);
  if (!filter)
    return tl::make_unexpected(filter.error());
  const auto snapshot = flag_parameter(call.query, "snapshot");
  if (!snapshot)
    return tl::make_unexpected(snapshot.error());
  json frame{{"type", "subscribe"}, {"since", nullptr}, {"filter", *filter}};
  const auto last = call.head.field("Last-Event-ID");
  const auto since = query_parameter(call.query, "since");
  if (last && !last->empty())
    frame["since"] = *last; // a client that comes back wants what it has missed
  else if (since && !since->empty())
    frame["since"] = *since;
  else
    frame["snapshot"] = *snapshot;
  return frame;
}

void follow(const session_desk& desk, const agent_session_id& session_id, json frame,
            const http_reply& reply) {
  const auto stream = std::make_shared<watcher_event_stream>();
  desk.ask_for<session_opening>(
      reply,
      [stream, reply](session_opening& opening) {
        if (!opening.client) {
          reply(session_response(opening.refusal));
          return;
        }
        stream->join(std::move(opening.client));
        reply(respond_with_events([stream](http_stream_ptr out) { stream->start(std::move(out)); },
                                  [stream] { stream->abandon(); }));
      },
      follow_atom_v, session_id, json_document{std::make_shared<const json>(std::move(frame))},
      frame_port_ptr{stream});
}

} // namespace

void open_session_socket(const session_desk& desk, const http_call& call, const http_reply& reply) {
  if (auto refusal = refuse_handshake(call.head)) {
    reply(std::move(*refusal));
    return;
  }
  const auto socket = std::make_shared<watcher_socket>();
  desk.ask_for<session_opening>(
      reply,
      [socket, reply, limit = desk.limit(),
       key = std::string{*call.head.field("Sec-WebSocket-Key")}](session_opening& opening) {
        if (!opening.client) {
          reply(session_response(opening.refusal));
          return;
        }
        socket->join(std::move(opening.client));
        const auto offer = std::make_shared<socket_offer>(socket);
        reply(accept_handshake(key,
                               [offer, limit](http_takeover& from) { offer->take(from, limit); }));
      },
      open_atom_v, session_in(call), query_parameter(call.query, "attach").value_or(""),
      frame_port_ptr{socket});
}

void open_session_events(const session_desk& desk, const http_call& call, const http_reply& reply) {
  auto frame = subscription_of(call);
  if (!frame) {
    reply(session_response(
        session_error(session_status::bad_request, "invalid_filter", frame.error().message)));
    return;
  }
  desk.when_admitted(
      call, desk.reader_of(call), reply,
      [desk = desk.shared_from_this(), reply, id = session_in(call),
       frame = std::move(*frame)]() mutable { follow(*desk, id, std::move(frame), reply); });
}

} // namespace gasoline
