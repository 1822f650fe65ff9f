#include "transport/routes/session_desk.hpp"

#include "transport/http/url_encoding.hpp"

#include <string_view>

namespace gasoline {

bool session_desk::trusts(const http_call& call) const {
  return !gate_.is_open() && gate_.admits(call.head.field("Authorization"));
}

session_caller session_desk::caller_of(const http_call& call) const {
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

session_caller session_desk::reader_of(const http_call& call) const {
  auto out = caller_of(call);
  out.trusted = out.trusted || (!gate_.is_open() && gate_.admits_query(call.query));
  if (out.key.empty())
    out.key = query_parameter(call.query, "session_key").value_or("");
  return out;
}

} // namespace gasoline
