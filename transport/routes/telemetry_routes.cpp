#include "transport/routes/telemetry_routes.hpp"

#include "transport/routes/extension_routes.hpp"
#include "transport/routes/page_routes.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

http_response ingest_response(ingest_answer answer) {
  http_response out;
  out.status = answer.status;
  out.body = std::move(answer.body);
  out.content_type = answer.content_type;
  out.retry_after_seconds = answer.retry_after_seconds;
  return out;
}

ingest_head ingest_head_of(const ingest_route& route, const http_call& call) {
  ingest_head out;
  out.content_type = bare_media_type(call.head.content_type);
  if (const auto open = call.pattern.find('{'); open != std::string_view::npos)
    out.parameter =
        call.parameter(call.pattern.substr(open + 1, call.pattern.find('}', open) - open - 1));
  for (const auto name : route.headers)
    if (const auto value = call.head.field(name))
      out.headers.emplace_back(name, *value);
  return out;
}

/// Refusals before the format sees a body, worded as it words its own.
decltype(http_route::refusal) refusal_of(const ingest_route& route) {
  if (route.refusal == nullptr)
    return {};
  return [refuse = route.refusal](std::uint16_t status, std::string_view sentence,
                                  const http_request_view& head) {
    ingest_head asked;
    asked.content_type = bare_media_type(head.content_type);
    return ingest_response(refuse(status, sentence, asked));
  };
}

http_route ingest_row(const ingest_route& route, std::string_view path,
                      std::function<void(ingest_request_ptr)> ingest,
                      const limits_of<http_room>& limit) {
  return {"POST",
          std::string{path},
          limit.http.*route.body_bytes,
          [route, ingest = std::move(ingest)](http_call call, http_reply reply) {
            auto request = std::make_shared<ingest_request>();
            request->format = route.format;
            request->head = ingest_head_of(route, call);
            request->body = std::move(call.body);
            request->origin = call.head.origin.value_or(std::string_view{});
            request->reply = [reply = std::move(reply)](ingest_answer answer) {
              reply(ingest_response(std::move(answer)));
            };
            ingest(std::move(request));
          },
          http_right::send,
          token_place::query_too,
          route.more_types,
          refusal_of(route)};
}

} // namespace

std::vector<http_route> telemetry_routes(telemetry_services services,
                                         const limits_of<http_room>& limit) {
  std::vector<http_route> out;
  const auto extension = std::make_shared<extension_presence>();
  out.push_back(health_route(std::move(services.health), extension));
  for (const auto& route : services.formats) {
    out.push_back(ingest_row(route, route.path, services.ingest, limit));
    for (const auto path : route.more_paths)
      out.push_back(ingest_row(route, path, services.ingest, limit));
  }
  out.push_back(page_script_route(std::move(services.page_script)));
  out.push_back(front_page_route());
  for (auto& route : extension_routes(extension, limit))
    out.push_back(std::move(route));
  return out;
}

} // namespace gasoline
