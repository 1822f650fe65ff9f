#include "transport/routes/stream_routes.hpp"

#include "transport/http/head/url_encoding.hpp"
#include "transport/http/route_pattern.hpp"
#include "transport/routes/route_caller.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

constexpr std::string_view streams_path = "/streams";
constexpr std::string_view stream_path = "/streams/{stream}";
constexpr std::string_view events_path = "/streams/{stream}/events";
constexpr std::uint64_t create_body_bytes = 64ULL << 10;

std::uint16_t status_of(stream_outcome outcome) {
  switch (outcome) {
  case stream_outcome::done:
    return 200;
  case stream_outcome::created:
    return 201;
  case stream_outcome::invalid:
    return 400;
  case stream_outcome::forbidden:
    return 403;
  case stream_outcome::not_found:
    return 404;
  case stream_outcome::exists:
    return 409;
  case stream_outcome::too_large:
    return 413;
  case stream_outcome::full:
  case stream_outcome::unreachable:
    return 503;
  }
  return 500;
}

http_response refused(stream_outcome outcome, std::string_view sentence) {
  return stream_response(refused_stream(outcome, sentence));
}

http_response no_such_path() {
  return refused(stream_outcome::not_found,
                 "There is no such route; use /streams, /streams/NAME or /streams/NAME/events, "
                 "with NAME of letters, digits, '_' and '-'.");
}

http_response wrong_method(std::string_view methods, std::string_view sentence) {
  auto out = refused(stream_outcome::invalid, sentence);
  out.status = 405;
  out.headers = "Allow: " + std::string{methods} + "\r\n";
  return out;
}

/// What the handlers have in common.
class stream_desk {
 public:
  explicit stream_desk(stream_services services) : services_(std::move(services)) {}

  /// Who calls. A page that follows events cannot set a header: there the key may be a parameter.
  asking_party caller_of(const http_call& call) const {
    auto out = route_caller(call, "X-Gasoline-Stream-Key");
    if (out.key.empty() && call.head.method == "GET")
      out.key = query_parameter(call.query, "key").value_or("");
    return out;
  }

  void run(stream_command command, asking_party caller, const http_reply& reply) const {
    auto request = std::make_shared<stream_request>();
    request->command = std::move(command);
    request->caller = std::move(caller);
    request->reply = [reply](stream_answer answer) { reply(stream_response(std::move(answer))); };
    services_.ask(std::move(request));
  }

  void follow(const std::string& stream, const http_call& call, const http_reply& reply) const {
    services_.events(stream, caller_of(call), call, reply);
  }

 private:
  stream_services services_;
};

using stream_desk_ptr = std::shared_ptr<const stream_desk>;

http_handler list_handler(stream_desk_ptr desk, std::uint64_t max_bytes) {
  return [desk = std::move(desk), max_bytes](const http_call& call, const http_reply& reply) {
    desk->run(
        show_streams{std::nullopt, query_parameter(call.query, "cursor").value_or(""), max_bytes},
        desk->caller_of(call), reply);
  };
}

http_handler create_handler(stream_desk_ptr desk) {
  return [desk = std::move(desk)](http_call call, const http_reply& reply) {
    auto caller = desk->caller_of(call);
    desk->run(post_stream{std::move(call.body)}, std::move(caller), reply);
  };
}

/// Calls the handler with the stream that the path names.
template <class Handler>
http_handler with_stream(Handler handle) {
  return [handle = std::move(handle)](http_call call, const http_reply& reply) {
    auto stream = call.parameter("stream");
    if (stream.empty())
      reply(no_such_path());
    else
      handle(std::move(stream), std::move(call), reply);
  };
}

http_handler show_handler(stream_desk_ptr desk, std::uint64_t max_bytes) {
  return with_stream([desk = std::move(desk), max_bytes](std::string stream, const http_call& call,
                                                         const http_reply& reply) {
    desk->run(show_streams{std::move(stream), {}, max_bytes}, desk->caller_of(call), reply);
  });
}

http_handler delete_handler(stream_desk_ptr desk) {
  return with_stream(
      [desk = std::move(desk)](std::string stream, const http_call& call, const http_reply& reply) {
        desk->run(delete_stream{std::move(stream)}, desk->caller_of(call), reply);
      });
}

http_handler events_handler(stream_desk_ptr desk) {
  return with_stream([desk = std::move(desk)](const std::string& stream, const http_call& call,
                                              const http_reply& reply) {
    if (call.head.method == "HEAD")
      reply(wrong_method("GET, POST", "The events of a stream have no head without a body; use "
                                      "GET, or HEAD on /streams/NAME."));
    else
      desk->follow(stream, call, reply);
  });
}

http_handler publish_handler(stream_desk_ptr desk) {
  return with_stream(
      [desk = std::move(desk)](std::string stream, http_call call, const http_reply& reply) {
        auto caller = desk->caller_of(call);
        desk->run(post_events{std::move(stream), std::move(call.body)}, std::move(caller), reply);
      });
}

// What no row above takes, in the words of the streams.

void refuse_post(const http_call& call, const http_reply& reply) {
  reply(covers(stream_path, call.path)
            ? wrong_method("GET, HEAD, DELETE", "Events are posted to /streams/NAME/events.")
            : no_such_path());
}

void refuse_delete(const http_call& call, const http_reply& reply) {
  reply(covers(events_path, call.path)
            ? wrong_method("GET, POST", "Single events cannot be deleted; DELETE /streams/NAME "
                                        "removes the stream.")
            : no_such_path());
}

} // namespace

std::vector<http_route> stream_routes(stream_services services,
                                      const limits_of<http_room, result_room>& limit) {
  const auto desk = std::make_shared<const stream_desk>(std::move(services));
  const std::string all{streams_path};
  const auto below = all + "/*";
  return {
      {"GET", all, 0, list_handler(desk, limit.result.max_bytes)},
      {"POST", all, create_body_bytes, create_handler(desk)},
      {"GET", below, 0, [](const http_call&, const http_reply& reply) { reply(no_such_path()); }},
      {"POST", below, limit.http.body_bytes, refuse_post},
      {"DELETE", below, 0, refuse_delete},
      {"GET", std::string{stream_path}, 0, show_handler(desk, limit.result.max_bytes)},
      {"DELETE", std::string{stream_path}, 0, delete_handler(desk)},
      {"GET", std::string{events_path}, 0, events_handler(desk)},
      {"POST", std::string{events_path}, limit.http.body_bytes, publish_handler(desk)},
  };
}

http_response stream_response(stream_answer answer) {
  http_response out;
  out.status = status_of(answer.outcome);
  out.body = std::move(answer.text);
  return out;
}

} // namespace gasoline
