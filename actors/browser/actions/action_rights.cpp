#include "actors/browser/actions/action_rights.hpp"

#include "actors/base/url_pieces.hpp"

#include <algorithm>

namespace gasoline {
namespace {

/// Pages that nobody else has made.
bool is_blank(std::string_view url) {
  return url.empty() || url == "about:blank";
}

/// As browsers read it: blanks around it, tabs and line breaks are left out, and a backslash in
/// front of the query is a slash. Else the host that is judged would not be the host that is gone
/// to.
std::string as_browsers_read(std::string_view url) {
  const auto is_outer = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!url.empty() && is_outer(url.front()))
    url.remove_prefix(1);
  while (!url.empty() && is_outer(url.back()))
    url.remove_suffix(1);
  const auto query = std::min(url.find_first_of("?#"), url.size());
  std::string out;
  for (std::size_t i = 0; i < url.size(); ++i)
    if (url[i] != '\t' && url[i] != '\n' && url[i] != '\r')
      out += url[i] == '\\' && i < query ? '/' : url[i];
  return out;
}

} // namespace

std::string meant_address(std::string_view asked, std::string_view page) {
  auto url = as_browsers_read(asked);
  const auto here = take_apart(page);
  const bool is_path = url.starts_with('/') && !url.starts_with("//");
  if (is_path && (here.scheme == "http" || here.scheme == "https"))
    return std::string{here.origin} + url;
  const auto colon = url.find(':');
  const bool has_scheme = url.find("://") != std::string::npos || url.starts_with("about:") ||
                          url.starts_with("data:") || url.starts_with("javascript:") ||
                          url.starts_with("file:") || url.starts_with("blob:");
  if (has_scheme || (colon == std::string::npos && url.empty()))
    return url;
  return "http://" + url;
}

std::optional<std::string> refusal_of(std::string_view url,
                                      const std::vector<origin_pattern>& allowed) {
  if (is_blank(url))
    return std::nullopt;
  const auto pieces = take_apart(url);
  const bool is_web = pieces.scheme == "http" || pieces.scheme == "https";
  if (is_web && pieces.host.empty())
    return "interact acts in pages of this machine, and " + std::string{url.substr(0, 80)} +
           " names no host: an address is like http://localhost:3000/orders, or /orders of the "
           "page that is open.";
  if (is_web && is_local_host(pieces.host))
    return std::nullopt;
  const bool is_allowed =
      std::any_of(allowed.begin(), allowed.end(),
                  [&](const origin_pattern& each) { return each.covers(pieces.origin); });
  if (is_web && is_allowed)
    return std::nullopt;
  if (!is_web)
    return "interact acts in pages of http and https, not in " + std::string{url.substr(0, 80)} +
           ".";
  return "interact acts in pages of this machine only, and " + std::string{pieces.origin} +
         R"( is elsewhere. Where its owner wants that, the settings allow it: {"interact":{"origins":[")" +
         std::string{pieces.origin} + R"("]}}.)";
}

} // namespace gasoline
