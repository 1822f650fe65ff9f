#include "transport/routes/session_routes.hpp"

#include "messages/base/json_repair.hpp"
#include "messages/base/json_text.hpp"
#include "messages/base/percent_encoding.hpp"
#include "messages/base/spawned_alone.hpp"
#include "transport/http/bearer_gate.hpp"
#include "transport/http/url_encoding.hpp"
#include "transport/sse/sse_response.hpp"
#include "transport/sse/watcher_event_stream.hpp"
#include "transport/websocket/watcher_socket.hpp"
#include "transport/websocket/websocket_handshake.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view sessions_path = "/sessions";
constexpr std::uint64_t feedback_bytes = 64ULL << 10;

std::uint16_t status_code(session_status status) {
  switch (status) {
  case session_status::ok:
    return 200;
  case session_status::created:
    return 201;
  case session_status::accepted:
    return 202;
  case session_status::no_content:
    return 204;
  case session_status::bad_request:
    return 400;
  case session_status::unauthorized:
    return 401;
  case session_status::not_found:
    return 404;
  case session_status::conflict:
    return 409;
  case session_status::too_large:
    return 413;
  case session_status::too_many:
    return 429;
  case session_status::unavailable:
    return 503;
  }
  return 500;
}

http_response session_response(const session_answer& answer) {
  http_response out;
  out.status = status_code(answer.status);
  if (answer.status != session_status::no_content)
    out.body = dumped(answer.body);
  if (answer.status == session_status::unauthorized)
    out.headers = "WWW-Authenticate: Bearer\r\n";
  if (answer.status == session_status::too_many)
    out.headers = "Retry-After: 60\r\n";
  return out;
}

http_response refused_session(session_status status, std::string_view code, std::string message) {
  return session_response(session_error(status, code, std::move(message)));
}

// Paths

/// What a path below `/sessions/` names.
enum class session_resource : std::uint8_t {
  session,
  messages,
  turns,
  events,
  stream,
  feedback,
  cancel,
  permission,
  unknown
};

struct session_path {
  session_resource what = session_resource::unknown;
  std::string session_id;
  std::string item_id; ///< the message of `feedback`, the turn of `cancel`, the permission request
};

struct session_resource_row {
  session_resource what;
  std::string_view name;    ///< the part behind the session
  std::string_view methods; ///< for 405
};

constexpr std::array<session_resource_row, 8> resources{{
    {session_resource::session, "", "GET, HEAD, DELETE, OPTIONS"},
    {session_resource::messages, "messages", "GET, HEAD, OPTIONS"},
    {session_resource::turns, "turns", "POST, OPTIONS"},
    {session_resource::events, "events", "GET, POST, OPTIONS"},
    {session_resource::stream, "stream", "GET, OPTIONS"},
    {session_resource::feedback, "feedback", "POST, OPTIONS"},
    {session_resource::cancel, "cancel", "POST, OPTIONS"},
    {session_resource::permission, "permissions", "POST, OPTIONS"},
}};

/// Resources that are about one item of a session: `LIST/ID` or `LIST/ID/ACTION`.
struct item_resource_row {
  session_resource what;
  std::string_view list;
  std::string_view action; ///< empty: none
};

constexpr std::array<item_resource_row, 3> item_resources{{
    {session_resource::feedback, "messages", "feedback"},
    {session_resource::cancel, "turns", "cancel"},
    {session_resource::permission, "permissions", ""},
}};

bool is_of_item(session_resource what) {
  return std::any_of(item_resources.begin(), item_resources.end(),
                     [&](const auto& row) { return row.what == what; });
}

std::vector<std::string_view> split_segments(std::string_view path) {
  std::vector<std::string_view> out;
  for (;;) {
    const auto slash = path.find('/');
    out.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos)
      return out;
    path.remove_prefix(slash + 1);
  }
}

session_path parse_session_path(std::string_view path) {
  const auto parts = split_segments(path.substr(sessions_path.size() + 1));
  session_path out;
  out.session_id = percent_decoded(parts[0]).value_or("");
  if (out.session_id.empty())
    return out;
  for (const auto& row : item_resources) {
    const bool fits = parts.size() == (row.action.empty() ? 3U : 4U) && parts[1] == row.list &&
                      (row.action.empty() || parts[3] == row.action);
    if (!fits)
      continue;
    out.item_id = percent_decoded(parts[2]).value_or("");
    out.what = out.item_id.empty() ? session_resource::unknown : row.what;
    return out;
  }
  const auto name = parts.size() > 1 ? parts[1] : std::string_view{};
  const auto row = std::find_if(resources.begin(), resources.end(),
                                [&](const auto& r) { return r.name == name; });
  const bool whole = parts.size() == (name.empty() ? 1U : 2U);
  if (whole && row != resources.end() && !is_of_item(row->what))
    out.what = row->what;
  return out;
}

http_response no_such_resource() {
  return refused_session(session_status::not_found, "no_such_route",
                         "There is no such route; known are /sessions, /sessions/ID, "
                         "/sessions/ID/messages, /sessions/ID/turns, /sessions/ID/events, "
                         "/sessions/ID/stream, /sessions/ID/turns/ID/cancel, "
                         "/sessions/ID/permissions/ID and /sessions/ID/messages/ID/feedback.");
}

/// 404 or 405, for a path that does not take the method.
http_response wrong_resource(session_resource what) {
  const auto row = std::find_if(resources.begin(), resources.end(),
                                [&](const auto& r) { return r.what == what; });
  if (row == resources.end())
    return no_such_resource();
  const std::string methods{row->methods};
  auto out = refused_session(session_status::bad_request, "wrong_method",
                             "The method does not fit this route; use " + methods + ".");
  out.status = 405;
  out.headers = "Allow: " + methods + "\r\n";
  return out;
}

// Bodies

/// The body as a document, or what is wrong with it.
tl::expected<json_document, http_response>
parse_body(std::string_view body, const limits_of<http_room, ingest_room, session_room>& limit) {
  const auto refuse = [](std::string message) {
    return tl::unexpected(
        refused_session(session_status::bad_request, "invalid_json", std::move(message)));
  };
  const auto text = repaired_json(body);
  if (text.empty())
    return refuse("The body is empty; send a JSON object.");
  if (json_nesting(text) > limit.ingest.json_depth)
    return refuse("The body nests deeper than " + std::to_string(limit.ingest.json_depth) +
                  " levels; send flatter data.");
  auto document = json::parse(text, nullptr, false);
  if (document.is_discarded())
    return refuse("The body is not valid JSON; send a JSON object.");
  return std::make_shared<const json>(std::move(document));
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

// Asking the registry

/// The routes' common part: asks the registry without holding up the io thread.
class session_desk : public std::enable_shared_from_this<session_desk> {
 public:
  explicit session_desk(session_front front) : front_(std::move(front)), gate_(front_.token) {}

  const limits_of<http_room, ingest_room, session_room>& limit() const { return front_.limit; }

  /// Whether the request shows the token of the token file.
  bool trusts(const http_call& call) const {
    return !gate_.is_open() && gate_.admits(call.head.field("Authorization"));
  }

  /// Who asks. The key of a session may stand where the token would, or in a header of its own.
  session_caller caller_of(const http_call& call) const {
    constexpr std::string_view bearer = "Bearer ";
    session_caller out;
    out.trusted = trusts(call);
    out.origin = call.head.origin.value_or(std::string_view{});
    const auto shown = call.head.field("Authorization").value_or(std::string_view{});
    if (const auto key = call.head.field("X-Gasoline-Session-Key"))
      out.key = *key;
    else if (shown.starts_with(bearer))
      out.key = shown.substr(bearer.size());
    return out;
  }

  /// The same of an event stream, which `EventSource` asks for without headers of its own.
  session_caller reader_of(const http_call& call) const {
    auto out = caller_of(call);
    out.trusted = out.trusted || (!gate_.is_open() && gate_.admits_query(call.query));
    if (out.key.empty())
      out.key = query_parameter(call.query, "session_key").value_or("");
    return out;
  }

  /// The same for a session that this caller may not be allowed to use.
  template <class... Ts>
  void ask_about(const std::string& session_id, const http_call& call, const http_reply& reply,
                 Ts... question) const {
    ask_for<session_answer>(
        reply,
        [desk = shared_from_this(), reply,
         question = std::make_tuple(std::move(question)...)](session_answer& admitted) mutable {
          if (admitted.status != session_status::ok) {
            reply(session_response(admitted));
            return;
          }
          std::apply([&](auto&... xs) { desk->ask(reply, std::move(xs)...); }, question);
        },
        open_atom_v, session_id, caller_of(call));
  }

  /// Answers with what the registry says to the question.
  template <class... Ts>
  void ask(const http_reply& reply, Ts... question) const {
    ask_for<session_answer>(
        reply, [reply](session_answer& answer) { reply(session_response(answer)); },
        std::move(question)...);
  }

  /// Calls `then` with the registry's answer; answers 503 when there is none.
  template <class R, class Then, class... Ts>
  void ask_for(const http_reply& reply, Then then, Ts... question) const {
    if (!front_.registry) {
      reply(refused_session(session_status::unavailable, "sessions_unavailable", front_.problem));
      return;
    }
    front_.system->spawn(
        [registry = front_.registry, reply, then = std::move(then),
         question = std::make_tuple(std::move(question)...)](caf::event_based_actor* self,
                                                             spawned_alone) mutable {
          auto asked = std::apply(
              [&](auto&... xs) { return self->request(registry, caf::infinite, std::move(xs)...); },
              question);
          asked.then([then](R& answer) mutable { then(answer); },
                     [reply](const caf::error&) {
                       reply(
                           refused_session(session_status::unavailable, "sessions_unavailable",
                                           "The engine is ending or its sessions have failed; try "
                                           "again once it runs."));
                     });
        },
        spawned_alone{});
  }

  void list(const http_call& call, const http_reply& reply) const;
  void create(const http_call& call, const http_reply& reply) const;
  void get(const http_call& call, const http_reply& reply) const;
  void post(const http_call& call, const http_reply& reply) const;
  void remove(const http_call& call, const http_reply& reply) const;

 private:
  void show_messages(const session_path& path, const http_call& call,
                     const http_reply& reply) const;
  void open_stream(const session_path& path, const http_call& call, const http_reply& reply) const;
  void open_events(const session_path& path, const http_call& call, const http_reply& reply) const;
  void listen(const std::string& session_id, json frame, const http_reply& reply) const;
  void cancel(const session_path& path, const http_call& call, const http_reply& reply) const;

  session_front front_;
  bearer_gate gate_;
};

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

  void take(http_takeover& from, const limits_of<http_room, ingest_room, session_room>& limit) {
    std::exchange(socket_, nullptr)->start(from, limit);
  }

 private:
  std::shared_ptr<watcher_socket> socket_;
};

void session_desk::list(const http_call& call, const http_reply& reply) const {
  const auto limit = number_parameter(call.query, "limit");
  if (!limit) {
    reply(refused_session(session_status::bad_request, "invalid_limit",
                          "'limit' must be a number from 1 on; leave it out for 100."));
    return;
  }
  ask(reply, list_atom_v, caller_of(call), query_parameter(call.query, "before").value_or(""),
      *limit);
}

void session_desk::create(const http_call& call, const http_reply& reply) const {
  auto body = parse_body(call.body, front_.limit);
  if (!body) {
    reply(std::move(body.error()));
    return;
  }
  ask(reply, create_atom_v, std::move(*body), caller_of(call));
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

void session_desk::get(const http_call& call, const http_reply& reply) const {
  const auto path = parse_session_path(call.path);
  switch (path.what) {
  case session_resource::session:
    ask_about(path.session_id, call, reply, attach_atom_v, path.session_id,
              attach_request{websocket_base(call), asker_of(call), trusts(call)});
    return;
  case session_resource::messages:
    show_messages(path, call, reply);
    return;
  case session_resource::stream:
    open_stream(path, call, reply);
    return;
  case session_resource::events:
    open_events(path, call, reply);
    return;
  default:
    reply(wrong_resource(path.what));
  }
}

void session_desk::show_messages(const session_path& path, const http_call& call,
                                 const http_reply& reply) const {
  const auto limit = number_parameter(call.query, "limit");
  if (!limit) {
    reply(refused_session(session_status::bad_request, "invalid_limit",
                          "'limit' must be a number from 1 on; leave it out for " +
                              std::to_string(front_.limit.session.snapshot_messages) + "."));
    return;
  }
  ask_about(path.session_id, call, reply, messages_atom_v, path.session_id,
            query_parameter(call.query, "before").value_or(""), *limit);
}

void session_desk::open_stream(const session_path& path, const http_call& call,
                               const http_reply& reply) const {
  if (auto refusal = refuse_handshake(call.head)) {
    reply(std::move(*refusal));
    return;
  }
  const auto socket = std::make_shared<watcher_socket>();
  ask_for<session_opening>(
      reply,
      [socket, reply, limit = front_.limit,
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
      open_atom_v, path.session_id, query_parameter(call.query, "attach").value_or(""),
      frame_port_ptr{socket});
}

/// The elements of a comma-separated parameter as an array; null when it is not there.
json list_parameter(std::string_view query, std::string_view name) {
  const auto text = query_parameter(query, name);
  if (!text)
    return nullptr;
  auto out = json::array();
  for (std::string_view rest = *text; !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    if (comma > 0)
      out.push_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return out;
}

/// The subscribe frame that the parameters of `GET /sessions/{id}/events` stand for.
json subscription_of(const http_call& call) {
  json frame{{"type", "subscribe"}, {"since", nullptr}};
  const auto since = call.head.field("Last-Event-ID");
  if (since && !since->empty())
    frame["since"] = *since; // a client that comes back wants what it has missed
  else if (const auto given = query_parameter(call.query, "since"))
    frame["since"] = *given;
  else
    frame["snapshot"] = query_parameter(call.query, "snapshot").value_or("") == "true";
  if (const auto preset = query_parameter(call.query, "filter")) {
    frame["filter"] = *preset;
    return frame;
  }
  frame["filter"] = {
      {"event_types", list_parameter(call.query, "event_types")},
      {"actors", list_parameter(call.query, "actors")},
      {"include_worker_sessions",
       query_parameter(call.query, "include_worker_sessions").value_or("") == "true"}};
  return frame;
}

void session_desk::open_events(const session_path& path, const http_call& call,
                               const http_reply& reply) const {
  ask_for<session_answer>(
      reply,
      [desk = shared_from_this(), reply, id = path.session_id,
       frame = subscription_of(call)](session_answer& admitted) mutable {
        if (admitted.status == session_status::ok)
          desk->listen(id, std::move(frame), reply);
        else
          reply(session_response(admitted));
      },
      open_atom_v, path.session_id, reader_of(call));
}

void session_desk::listen(const std::string& session_id, json frame,
                          const http_reply& reply) const {
  const auto stream = std::make_shared<watcher_event_stream>();
  ask_for<session_opening>(
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

/// The reason may stand in the body, which may be left out.
void session_desk::cancel(const session_path& path, const http_call& call,
                          const http_reply& reply) const {
  std::string reason;
  if (!call.body.empty()) {
    const auto body = parse_body(call.body, front_.limit);
    if (!body) {
      reply(std::move(body.error()));
      return;
    }
    const auto given = (*body)->is_object() ? (*body)->value("reason", json()) : json();
    if (given.is_string())
      reason = given.get<std::string>();
  }
  ask_about(path.session_id, call, reply, cancel_atom_v, path.session_id, path.item_id, reason);
}

void session_desk::post(const http_call& call, const http_reply& reply) const {
  const auto path = parse_session_path(call.path);
  const bool feedback = path.what == session_resource::feedback;
  if (path.what == session_resource::cancel) {
    cancel(path, call, reply);
    return;
  }
  if (!feedback && path.what != session_resource::turns && path.what != session_resource::events &&
      path.what != session_resource::permission) {
    reply(wrong_resource(path.what));
    return;
  }
  if (feedback && call.body.size() > feedback_bytes) {
    reply(refused_session(session_status::too_large, "feedback_too_large",
                          "Feedback has at most " + std::to_string(feedback_bytes) +
                              " bytes; shorten it."));
    return;
  }
  auto body = parse_body(call.body, front_.limit);
  if (!body)
    reply(std::move(body.error()));
  else if (feedback)
    ask_about(path.session_id, call, reply, feedback_atom_v, path.session_id, path.item_id,
              std::move(*body));
  else if (path.what == session_resource::permission)
    ask_about(path.session_id, call, reply, permit_atom_v, path.session_id, path.item_id,
              std::move(*body), trusts(call));
  else if (path.what == session_resource::turns)
    ask_about(path.session_id, call, reply, submit_atom_v, path.session_id, std::move(*body),
              std::string{call.head.field("Idempotency-Key").value_or("")});
  else
    ask_about(path.session_id, call, reply, external_atom_v, path.session_id, std::move(*body));
}

void session_desk::remove(const http_call& call, const http_reply& reply) const {
  const auto path = parse_session_path(call.path);
  if (path.what == session_resource::session)
    ask_about(path.session_id, call, reply, remove_atom_v, path.session_id);
  else
    reply(wrong_resource(path.what));
}

} // namespace

std::vector<http_route> session_routes(session_front front) {
  const auto desk = std::make_shared<const session_desk>(std::move(front));
  const std::string all{sessions_path};
  const auto below = all + "/*";
  const auto below_one = all + "/{session}";
  const auto body_cap = desk->limit().http.body_bytes;
  return {
      {"GET", all, 0,
       [desk](const http_call& call, const http_reply& reply) { desk->list(call, reply); }},
      {"POST", all, body_cap,
       [desk](const http_call& call, const http_reply& reply) { desk->create(call, reply); }},
      {"GET", below, 0,
       [desk](const http_call& call, const http_reply& reply) { desk->get(call, reply); }},
      {"GET", below_one + "/stream", 0,
       [desk](const http_call& call, const http_reply& reply) { desk->get(call, reply); },
       http_right::use, token_place::query_too},
      {"GET", below_one + "/events", 0,
       [desk](const http_call& call, const http_reply& reply) { desk->get(call, reply); },
       http_right::use, token_place::query_too},
      {"POST", below, body_cap,
       [desk](const http_call& call, const http_reply& reply) { desk->post(call, reply); }},
      {"DELETE", below, 0,
       [desk](const http_call& call, const http_reply& reply) { desk->remove(call, reply); }},
  };
}

} // namespace gasoline
