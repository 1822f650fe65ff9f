#include "transport/routes/telemetry_routes.hpp"

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
  out.retry_after_seconds = answer.retry_after_seconds;
  return out;
}

http_route ingest_row(const ingest_route& route, std::function<void(ingest_request_ptr)> ingest,
                      const limits& limit) {
  return {"POST",
          std::string{route.path},
          route.body_bytes(limit),
          [format = route.format, ingest = std::move(ingest)](http_call call, http_reply reply) {
            auto request = std::make_shared<ingest_request>();
            request->format = format;
            request->body = std::move(call.body);
            request->reply = [reply = std::move(reply)](ingest_answer answer) {
              reply(ingest_response(std::move(answer)));
            };
            ingest(std::move(request));
          },
          http_right::send,
          token_place::query_too};
}

} // namespace

std::vector<http_route> telemetry_routes(telemetry_services services, const limits& limit) {
  std::vector<http_route> out;
  out.push_back(health_route(std::move(services.health)));
  for (const auto& route : services.formats)
    out.push_back(ingest_row(route, services.ingest, limit));
  out.push_back(page_script_route(std::move(services.page_script)));
  out.push_back(front_page_route());
  return out;
}

} // namespace gasoline
