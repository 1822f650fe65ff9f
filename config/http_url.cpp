#include "config/http_url.hpp"

#include "config/values/port_number.hpp"

#include <algorithm>
#include <cstdint>

namespace gasoline {
namespace {

tl::unexpected<user_error> no_url(std::string_view why) {
  return tl::unexpected(user_error{"The URL " + std::string{why} +
                                   "; give one such as https://api.example.com/v1 or "
                                   "http://127.0.0.1:11434/v1."});
}

bool is_plain(unsigned char c) {
  return c > 0x20 && c < 0x7F;
}

bool is_host_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

bool is_address_char(char c) {
  return (c >= 'a' && c <= 'f') || (c >= '0' && c <= '9') || c == ':' || c == '.';
}

std::string lower(std::string_view text) {
  std::string out{text};
  for (auto& c : out)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// Takes the host off `authority`; what is left is empty or begins with the colon of the port.
std::string take_host(std::string_view& authority) {
  const bool bracketed = authority.starts_with('[');
  const auto end = bracketed ? authority.find(']') : authority.find(':');
  if (bracketed && end == std::string_view::npos)
    return {};
  auto host = lower(bracketed ? authority.substr(1, end - 1) : authority.substr(0, end));
  const bool valid = bracketed ? std::all_of(host.begin(), host.end(), is_address_char)
                               : std::all_of(host.begin(), host.end(), is_host_char);
  authority.remove_prefix(std::min(authority.size(), bracketed ? end + 1 : end));
  return valid ? host : std::string{};
}

} // namespace

result_or<http_url> parse_http_url(std::string_view text) {
  if (!std::all_of(text.begin(), text.end(), is_plain))
    return no_url("holds a space, a control character or a letter outside ASCII");
  http_url out;
  const auto scheme_end = text.find("://");
  const auto scheme = lower(text.substr(0, scheme_end));
  if (scheme_end == std::string_view::npos || (scheme != "http" && scheme != "https"))
    return no_url("does not begin with https:// or http://");
  out.secure = scheme == "https";
  text.remove_prefix(scheme_end + 3);
  if (text.find('#') != std::string_view::npos)
    return no_url("has a fragment");
  const auto path_at = std::min(text.size(), text.find_first_of("/?"));
  auto authority = text.substr(0, path_at);
  out.path = text.substr(path_at);
  if (!out.path.starts_with('/'))
    out.path.insert(0, 1, '/');
  if (authority.find('@') != std::string_view::npos)
    return no_url("has a user name, which would be shown with it");
  out.host = take_host(authority);
  if (out.host.empty())
    return no_url("has no valid host");
  out.port = out.secure ? "443" : "80";
  if (authority.empty())
    return out;
  if (!authority.starts_with(':') || port_number(authority.substr(1)).value_or(0) == 0)
    return no_url("has no valid port");
  out.port = authority.substr(1);
  return out;
}

bool is_loopback(const http_url& url) {
  return url.host == "localhost" || url.host == "::1" ||
         (url.host.starts_with("127.") &&
          url.host.find_first_not_of("0123456789.") == std::string::npos);
}

std::string host_header(const http_url& url) {
  const bool address = url.host.find(':') != std::string::npos;
  std::string out = address ? "[" + url.host + "]" : url.host;
  if (url.port != (url.secure ? "443" : "80"))
    out += ":" + url.port;
  return out;
}

} // namespace gasoline
