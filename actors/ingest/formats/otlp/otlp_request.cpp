#include "actors/ingest/formats/otlp/otlp_request.hpp"

#include "actors/ingest/formats/otlp/otlp_fields.hpp"

#include <initializer_list>

namespace gasoline {
namespace {

std::string_view first_text(const otlp_attributes& attributes,
                            std::initializer_list<std::string_view> names) {
  for (const auto name : names)
    if (const auto text = attribute_text(attributes, name); !text.empty())
      return text;
  return {};
}

std::string authority_of(const otlp_attributes& attributes) {
  if (const auto host = attribute_text(attributes, "http.host"); !host.empty())
    return std::string{host};
  std::string out{first_text(attributes, {"server.address", "net.host.name"})};
  if (out.empty())
    return out;
  for (const auto* name : {"server.port", "net.host.port"})
    if (const auto port = whole_number(find_attribute(attributes, name)); port && *port > 0)
      return out + ':' + std::to_string(*port);
  return out;
}

} // namespace

std::string_view request_method(const otlp_attributes& attributes) {
  return first_text(attributes, {"http.request.method", "http.method"});
}

std::int32_t response_status(const otlp_attributes& attributes) {
  constexpr std::int64_t most = 999;
  for (const auto* name : {"http.response.status_code", "http.status_code"})
    if (const auto status = whole_number(find_attribute(attributes, name));
        status && *status > 0 && *status <= most)
      return static_cast<std::int32_t>(*status);
  return -1;
}

std::string request_address(const otlp_attributes& attributes) {
  if (const auto whole = first_text(attributes, {"url.full", "http.url"}); !whole.empty())
    return std::string{whole};
  std::string path{first_text(attributes, {"url.path", "http.target"})};
  if (const auto query = attribute_text(attributes, "url.query"); !query.empty())
    path += (query.front() == '?' ? "" : "?") + std::string{query};
  const auto authority = authority_of(attributes);
  const auto scheme = first_text(attributes, {"url.scheme", "http.scheme"});
  if (authority.empty() || scheme.empty() || path.empty())
    return path;
  return std::string{scheme} + "://" + authority + path;
}

} // namespace gasoline
