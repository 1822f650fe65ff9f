#include "config/sections/origin_settings.hpp"

#include "config/values/port_number.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace gasoline {
namespace {

std::string folded(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_scheme(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.';
         });
}

bool is_host(std::string_view text) {
  if (text.size() > 2 && text.front() == '[' && text.back() == ']')
    return text.find_first_not_of("0123456789abcdef:.", 1) == text.size() - 1;
  return !text.empty() && text.size() <= 253 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_';
         });
}

struct origin_parts {
  std::string scheme;
  std::string host;
  std::string port;
};

/// Scheme, host and port of an origin or pattern; without judging them.
origin_parts split(std::string_view text) {
  origin_parts out;
  if (const auto mark = text.find("://"); mark != std::string_view::npos) {
    out.scheme = folded(text.substr(0, mark));
    text.remove_prefix(mark + 3);
  }
  const auto bracket = text.find(']');
  const auto colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  out.host = folded(text.substr(0, colon));
  if (colon != std::string_view::npos)
    out.port = text.substr(colon + 1);
  return out;
}

bool any_covers(const std::vector<origin_pattern>& list, std::string_view origin) {
  return std::any_of(list.begin(), list.end(),
                     [&](const origin_pattern& p) { return p.covers(origin); });
}

} // namespace

result_or<origin_pattern> origin_pattern::parse(std::string_view text) {
  auto parts = split(text);
  const bool has_scheme = text.find("://") != std::string_view::npos;
  const bool ends_well = !text.ends_with(':');
  if ((has_scheme && !is_scheme(parts.scheme)) || !is_host(parts.host) || !ends_well ||
      (!has_scheme && !parts.port.empty()) ||
      (!parts.port.empty() && parts.port != "*" && port_number(parts.port).value_or(0) == 0))
    return tl::unexpected(
        user_error{"'" + std::string{text} +
                   "' is no origin; write it as a browser sends it (http://myapp.test:3000), with "
                   "* for any port (http://myapp.test:*), or a host alone (myapp.test) for any "
                   "scheme and port."});
  origin_pattern out;
  out.text_ = text;
  out.scheme_ = std::move(parts.scheme);
  out.host_ = std::move(parts.host);
  out.port_ = std::move(parts.port);
  return out;
}

bool origin_pattern::covers(std::string_view origin) const {
  if (origin.find("://") == std::string_view::npos)
    return false;
  const auto parts = split(origin);
  if (parts.host != host_ || parts.scheme.empty())
    return false;
  if (scheme_.empty())
    return true;
  return parts.scheme == scheme_ && (port_ == "*" || parts.port == port_);
}

bool origin_settings::allows(std::string_view origin) const {
  return any_covers(allowed, origin) || trusts(origin);
}

bool origin_settings::trusts(std::string_view origin) const {
  return any_covers(trusted, origin);
}

result_or<std::vector<origin_pattern>> read_origin_list(std::string_view text) {
  std::vector<origin_pattern> out;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    auto pattern = origin_pattern::parse(text.substr(0, comma));
    if (!pattern)
      return tl::unexpected(pattern.error());
    out.push_back(std::move(*pattern));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out;
}

} // namespace gasoline
