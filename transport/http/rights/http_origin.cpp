#include "transport/http/rights/http_origin.hpp"

#include "config/values/port_number.hpp"
#include "messages/base/letters.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace gasoline {
namespace {

// The last two are what containers call the machine that they run on. Both end in `.internal`,
// which no public name server answers, so that no foreign name can be rebound to them.
constexpr std::array<std::string_view, 5> local_names{
    "localhost", "127.0.0.1", "[::1]", "host.docker.internal", "host.containers.internal"};
constexpr std::array<std::string_view, 2> web_schemes{"http", "https"};
constexpr std::array<std::string_view, 3> extension_schemes{"chrome-extension", "moz-extension",
                                                            "safari-web-extension"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view text) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return ascii::same_letters(name, text); });
}

bool is_extension_id(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// `NAME.localhost` with any or no port. A name of several labels is one too.
bool is_below_localhost(std::string_view authority) {
  const auto colon = authority.find(':');
  const auto name = authority.substr(0, colon);
  if (colon != std::string_view::npos && !port_number(authority.substr(colon + 1)))
    return false;
  constexpr std::string_view ending = ".localhost";
  if (name.size() <= ending.size() ||
      !ascii::same_letters(name.substr(name.size() - ending.size()), ending))
    return false;
  const auto labels = name.substr(0, name.size() - ending.size());
  return labels.front() != '.' && labels.find("..") == std::string_view::npos &&
         std::all_of(labels.begin(), labels.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_';
         });
}

} // namespace

bool is_local_authority(std::string_view authority) {
  const auto bracket = authority.find(']');
  const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon == std::string_view::npos)
    return contains(local_names, authority);
  return contains(local_names, authority.substr(0, colon)) &&
         port_number(authority.substr(colon + 1)).has_value();
}

bool is_local_origin(std::string_view origin) {
  const auto separator = origin.find("://");
  if (separator == std::string_view::npos)
    return false;
  const std::string_view scheme = origin.substr(0, separator);
  const std::string_view rest = origin.substr(separator + 3);
  if (contains(web_schemes, scheme))
    return is_local_authority(rest) || is_below_localhost(rest);
  return contains(extension_schemes, scheme) && is_extension_id(rest);
}

} // namespace gasoline
