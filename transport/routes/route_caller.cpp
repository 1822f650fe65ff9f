#include "transport/routes/route_caller.hpp"

namespace gasoline {

asking_party route_caller(const http_call& call, std::string_view key_header) {
  constexpr std::string_view bearer = "Bearer ";
  asking_party out;
  out.trusted = call.is_owner;
  out.origin = call.head.origin.value_or(std::string_view{});
  const auto shown = call.head.field("Authorization").value_or(std::string_view{});
  if (const auto key = call.head.field(key_header))
    out.key = *key;
  else if (shown.starts_with(bearer))
    out.key = shown.substr(bearer.size());
  return out;
}

} // namespace gasoline
