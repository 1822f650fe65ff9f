#include "transport/routes/stream_routes.hpp"

#include "transport/http/route_pattern.hpp"
#include "transport/http/url_encoding.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

constexpr std::string_view streams_path = "/streams";
constexpr std::string_view stream_path = "/streams/{stream}";
constexpr std::string_view events_path = "/streams/{stream}/events";
constexpr std::uint64_t create_body_bytes = 64ULL << 10;

using ask_function = std::function<void(stream_request_ptr)>;

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

void run(const ask_function& ask, stream_command command, const http_reply& reply) {
  auto request = std::make_shared<stream_request>();
  request->command = std::move(command);
  request->reply = [reply](stream_answer answer) { reply(stream_response(std::move(answer))); };
  ask(std::move(request));
}

http_handler list_handler(ask_function ask, std::uint64_t max_bytes) {
  return [ask = std::move(ask), max_bytes](const http_call& call, const http_reply& reply) {
    run(ask,
        show_streams{std::nullopt, query_parameter(call.query, "cursor").value_or(""), max_bytes},
        reply);
  };
}

http_handler create_handler(ask_function ask) {
  return [ask = std::move(ask)](http_call call, const http_reply& reply) {
    run(ask, post_stream{std::move(call.body)}, reply);
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

http_handler show_handler(ask_function ask, std::uint64_t max_bytes) {
  return with_stream([ask = std::move(ask), max_bytes](std::string stream, const http_call&,
                                                       const http_reply& reply) {
    run(ask, show_streams{std::move(stream), {}, max_bytes}, reply);
  });
}

http_handler delete_handler(ask_function ask) {
  return with_stream(
      [ask = std::move(ask)](std::string stream, const http_call&, const http_reply& reply) {
        run(ask, delete_stream{std::move(stream)}, reply);
      });
}

http_handler events_handler(stream_events_handler events) {
  return with_stream([events = std::move(events)](const std::string& stream, const http_call& call,
                                                  const http_reply& reply) {
    if (call.head.method == "HEAD")
      reply(wrong_method("GET, POST", "The events of a stream have no head without a body; use "
                                      "GET, or HEAD on /streams/NAME."));
    else
      events(stream, call, reply);
  });
}

http_handler publish_handler(ask_function ask) {
  return with_stream(
      [ask = std::move(ask)](std::string stream, http_call call, const http_reply& reply) {
        run(ask, post_events{std::move(stream), std::move(call.body)}, reply);
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

std::vector<http_route> stream_routes(const std::function<void(stream_request_ptr)>& ask,
                                      stream_events_handler events,
                                      const limits_of<http_room, result_room>& limit) {
  const std::string all{streams_path};
  const auto below = all + "/*";
  return {
      {"GET", all, 0, list_handler(ask, limit.result.max_bytes)},
      {"POST", all, create_body_bytes, create_handler(ask)},
      {"GET", below, 0, [](const http_call&, const http_reply& reply) { reply(no_such_path()); }},
      {"POST", below, limit.http.body_bytes, refuse_post},
      {"DELETE", below, 0, refuse_delete},
      {"GET", std::string{stream_path}, 0, show_handler(ask, limit.result.max_bytes)},
      {"DELETE", std::string{stream_path}, 0, delete_handler(ask)},
      {"GET", std::string{events_path}, 0, events_handler(std::move(events))},
      {"POST", std::string{events_path}, limit.http.body_bytes, publish_handler(ask)},
  };
}

http_response stream_response(stream_answer answer) {
  http_response out;
  out.status = status_of(answer.outcome);
  out.body = std::move(answer.text);
  return out;
}

} // namespace gasoline
