#include "transport/routes/session_answers.hpp"

#include "messages/base/json/json_repair.hpp"
#include "messages/base/json/json_text.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

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

} // namespace

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

tl::expected<json_document, http_response> session_body(std::string_view body,
                                                        const limits_of<ingest_room>& limit) {
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
  auto document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded())
    return refuse("The body is not valid JSON; send a JSON object.");
  return std::make_shared<const nlohmann::json>(std::move(document));
}

} // namespace gasoline
