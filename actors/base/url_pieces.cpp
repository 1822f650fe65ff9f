#include "actors/base/url_pieces.hpp"

#include <algorithm>
#include <array>

namespace gasoline {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Where the letter stands last; none: the text has none. Few have one, and the search from the end
/// is not the quick one.
std::size_t last_of(std::string_view text, char letter) {
  const auto first = text.find(letter);
  return first == std::string_view::npos ? first : text.rfind(letter);
}

void split_authority(url_pieces& out, std::string_view authority) {
  const auto at = last_of(authority, '@');
  if (at != std::string_view::npos)
    authority.remove_prefix(at + 1);
  const auto bracket = last_of(authority, ']');
  const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  out.host = authority.substr(0, colon);
  if (colon != std::string_view::npos)
    out.port = authority.substr(colon + 1);
}

// 127.evil.com is somebody's name, and no address.
bool is_loopback_address(std::string_view host) {
  return host.substr(0, 4) == "127." &&
         host.find_first_not_of("0123456789.") == std::string_view::npos;
}

} // namespace

url_pieces take_apart(std::string_view url) {
  url_pieces out;
  // Two quick searches: one for either letter would look at each of the URL's letters by itself.
  const auto query = std::min({url.find('?'), url.find('#'), url.size()});
  out.rest = url.substr(query);
  const auto address = url.substr(0, query);
  const auto mark = address.find("://");
  if (mark == std::string_view::npos || address.find('/') < mark) {
    out.path = address;
    return out;
  }
  out.scheme = address.substr(0, mark);
  const auto begin = mark + 3;
  const auto slash = std::min(address.find('/', begin), address.size());
  split_authority(out, address.substr(begin, slash - begin));
  out.origin = address.substr(0, slash);
  out.path = address.substr(slash);
  return out;
}

bool is_local_host(std::string_view host) {
  return host == "localhost" || host == "[::1]" || host == "0.0.0.0" || is_loopback_address(host) ||
         ends_with(host, ".localhost");
}

bool is_extension_scheme(std::string_view scheme) {
  constexpr std::array<std::string_view, 5> schemes{"chrome-extension", "moz-extension",
                                                    "safari-web-extension", "safari-extension",
                                                    "ms-browser-extension"};
  return std::find(schemes.begin(), schemes.end(), scheme) != schemes.end();
}

} // namespace gasoline
