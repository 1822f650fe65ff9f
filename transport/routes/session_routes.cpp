#include "transport/routes/session_routes.hpp"

#include "transport/http/head/url_encoding.hpp"
#include "transport/http/route_pattern.hpp"
#include "transport/routes/session_answers.hpp"
#include "transport/routes/session_desk.hpp"
#include "transport/routes/session_followers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view sessions_path = "/sessions";
constexpr std::string_view session_path = "/sessions/{session}";
constexpr std::string_view messages_path = "/sessions/{session}/messages";
constexpr std::string_view turns_path = "/sessions/{session}/turns";
constexpr std::string_view feed_path = "/sessions/{session}/events";
constexpr std::string_view socket_path = "/sessions/{session}/stream";
constexpr std::string_view feedback_path = "/sessions/{session}/messages/{item}/feedback";
constexpr std::string_view cancel_path = "/sessions/{session}/turns/{item}/cancel";
constexpr std::string_view permission_path = "/sessions/{session}/permissions/{item}";

// What no row takes, in the words of the sessions.

http_response no_such_route() {
  return refused_session(session_status::not_found, "no_such_route",
                         "There is no such route; known are /sessions, /sessions/ID, "
                         "/sessions/ID/messages, /sessions/ID/turns, /sessions/ID/events, "
                         "/sessions/ID/stream, /sessions/ID/turns/ID/cancel, "
                         "/sessions/ID/permissions/ID and /sessions/ID/messages/ID/feedback.");
}

http_response wrong_session_method(std::string_view methods) {
  const std::string all{methods};
  auto out = refused_session(session_status::bad_request, "wrong_method",
                             "The method does not fit this route; use " + all + ".");
  out.status = 405;
  out.headers = "Allow: " + all + "\r\n";
  return out;
}

struct path_methods {
  std::string_view path;
  std::string_view methods; ///< that its rows take
};

constexpr std::array<path_methods, 8> methods_by_path{{
    {session_path, "GET, HEAD, DELETE, OPTIONS"},
    {messages_path, "GET, HEAD, OPTIONS"},
    {turns_path, "POST, OPTIONS"},
    {feed_path, "GET, POST, OPTIONS"},
    {socket_path, "GET, OPTIONS"},
    {feedback_path, "POST, OPTIONS"},
    {cancel_path, "POST, OPTIONS"},
    {permission_path, "POST, OPTIONS"},
}};

/// 405 on a path of a row with another method, else 404.
void refuse(const http_call& call, const http_reply& reply) {
  const auto row = std::find_if(methods_by_path.begin(), methods_by_path.end(),
                                [&](const auto& r) { return covers(r.path, call.path); });
  reply(row == methods_by_path.end() ? no_such_route() : wrong_session_method(row->methods));
}

/// The number under that name; 0 when it is not there, nothing when it is none.
std::optional<std::uint64_t> number_parameter(std::string_view query, std::string_view name) {
  const auto text = query_parameter(query, name);
  if (!text)
    return 0;
  std::uint64_t out = 0;
  const auto end = text->data() + text->size();
  const auto [stop, ec] = std::from_chars(text->data(), end, out);
  if (ec != std::errc{} || stop != end || out == 0)
    return std::nullopt;
  return out;
}

/// Who asks, as far as requests say: a program by the name that it gives itself, a page by its
/// origin.
std::string asker_of(const http_call& call) {
  for (const char* name : {"X-Gasoline-Client", "Origin", "User-Agent"})
    if (const auto value = call.head.field(name); value && !value->empty())
      return std::string{value->substr(0, 200)};
  return {};
}

/// Where clients of this request find the WebSocket.
std::string websocket_base(const http_call& call) {
  return "ws://" + std::string{call.head.host.value_or("127.0.0.1")};
}

// Handlers

void list_sessions(const session_desk& desk, const http_call& call, const http_reply& reply) {
  const auto limit = number_parameter(call.query, "limit");
  if (!limit) {
    reply(refused_session(session_status::bad_request, "invalid_limit",
                          "'limit' must be a number from 1 on; leave it out for " +
                              std::to_string(desk.limit().session.page) + "."));
    return;
  }
  desk.ask(reply, list_atom_v, desk.caller_of(call),
           agent_session_id{query_parameter(call.query, "before").value_or("")}, *limit);
}

void show_session(const session_desk& desk, const http_call& call, const http_reply& reply) {
  desk.ask_about(call, reply, attach_atom_v, session_in(call),
                 attach_request{websocket_base(call), asker_of(call), call.is_owner});
}

void remove_session(const session_desk& desk, const http_call& call, const http_reply& reply) {
  desk.ask_about(call, reply, remove_atom_v, session_in(call));
}

void show_messages(const session_desk& desk, const http_call& call, const http_reply& reply) {
  const auto limit = number_parameter(call.query, "limit");
  if (!limit) {
    reply(refused_session(session_status::bad_request, "invalid_limit",
                          "'limit' must be a number from 1 on; leave it out for " +
                              std::to_string(desk.limit().session.snapshot_messages) + "."));
    return;
  }
  desk.ask_about(call, reply, messages_atom_v, session_in(call),
                 agent_message_id{query_parameter(call.query, "before").value_or("")}, *limit);
}

void create_session(const session_desk& desk, const http_call& call, const http_reply& reply,
                    json_document body) {
  desk.ask(reply, create_atom_v, std::move(body), desk.caller_of(call));
}

void submit_turn(const session_desk& desk, const http_call& call, const http_reply& reply,
                 json_document body) {
  desk.ask_about(call, reply, submit_atom_v, session_in(call), std::move(body),
                 std::string{call.head.field("Idempotency-Key").value_or("")});
}

void feed_events(const session_desk& desk, const http_call& call, const http_reply& reply,
                 json_document body) {
  desk.ask_about(call, reply, external_atom_v, session_in(call), std::move(body));
}

void answer_permission(const session_desk& desk, const http_call& call, const http_reply& reply,
                       json_document body) {
  desk.ask_about(call, reply, permit_atom_v, session_in(call), call.parameter("item"),
                 std::move(body), call.is_owner);
}

void give_feedback(const session_desk& desk, const http_call& call, const http_reply& reply) {
  const auto most = desk.limit().session.feedback_bytes;
  if (call.body.size() > most) {
    reply(refused_session(session_status::too_large, "feedback_too_large",
                          "Feedback has at most " + std::to_string(most) + " bytes; shorten it."));
    return;
  }
  auto body = session_body(call.body, desk.limit());
  if (!body)
    reply(std::move(body.error()));
  else
    desk.ask_about(call, reply, feedback_atom_v, session_in(call),
                   agent_message_id{call.parameter("item")}, std::move(*body));
}

/// The reason may stand in the body, which may be left out.
void cancel_turn(const session_desk& desk, const http_call& call, const http_reply& reply) {
  std::string reason;
  if (!call.body.empty()) {
    const auto body = session_body(call.body, desk.limit());
    if (!body) {
      reply(std::move(body.error()));
      return;
    }
    const auto given = (*body)->is_object() ? (*body)->value("reason", json()) : json();
    if (given.is_string())
      reason = given.get<std::string>();
  }
  desk.ask_about(call, reply, cancel_atom_v, session_in(call),
                 agent_turn_id{call.parameter("item")}, reason);
}

// Rows

/// Whether every segment that stands for a name could be decoded.
bool is_readable(const http_call& call) {
  return !call.parameter("session").empty() &&
         (call.pattern.find("{item}") == std::string_view::npos || !call.parameter("item").empty());
}

/// Calls the handler where the path can be read.
template <class Handle>
http_handler readable(session_desk_ptr desk, Handle handle) {
  return [desk = std::move(desk), handle](const http_call& call, const http_reply& reply) {
    if (is_readable(call))
      handle(*desk, call, reply);
    else
      reply(no_such_route());
  };
}

using body_handler = void (*)(const session_desk&, const http_call&, const http_reply&,
                              json_document);

/// Calls the handler with the body as a document.
auto with_body(body_handler handle) {
  return [handle](const session_desk& desk, const http_call& call, const http_reply& reply) {
    auto body = session_body(call.body, desk.limit());
    if (body)
      handle(desk, call, reply, std::move(*body));
    else
      reply(std::move(body.error()));
  };
}

} // namespace

std::vector<http_route> session_routes(session_front front) {
  const session_desk_ptr desk = std::make_shared<session_desk>(std::move(front));
  const auto body_cap = desk->limit().http.body_bytes;
  const std::string all{sessions_path};
  const auto below = all + "/*";
  const auto get = [desk](std::string_view path, auto handle) {
    return http_route{"GET", std::string{path}, 0, readable(desk, handle)};
  };
  const auto post = [desk, body_cap](std::string_view path, auto handle) {
    return http_route{"POST", std::string{path}, body_cap, readable(desk, handle)};
  };
  // What pages follow: neither a WebSocket nor an EventSource has headers of its own.
  auto socket = get(socket_path, open_session_socket);
  socket.token = token_place::query_too;
  auto feed = get(feed_path, open_session_events);
  feed.token = token_place::query_too;
  return {
      {"GET", all, 0,
       [desk](const http_call& call, const http_reply& reply) {
         list_sessions(*desk, call, reply);
       }},
      {"POST", all, body_cap,
       [desk, create = with_body(create_session)](const http_call& call, const http_reply& reply) {
         create(*desk, call, reply);
       }},
      get(session_path, show_session),
      {"DELETE", std::string{session_path}, 0, readable(desk, remove_session)},
      get(messages_path, show_messages),
      post(turns_path, with_body(submit_turn)),
      std::move(feed),
      post(feed_path, with_body(feed_events)),
      std::move(socket),
      post(feedback_path, give_feedback),
      post(cancel_path, cancel_turn),
      post(permission_path, with_body(answer_permission)),
      {"GET", below, 0, refuse},
      {"POST", below, body_cap, refuse},
      {"DELETE", below, 0, refuse},
  };
}

} // namespace gasoline
