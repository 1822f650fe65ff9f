#pragma once

#include "config/settings.hpp"

#include <string>
#include <string_view>

namespace gasoline {

/// An absolute http or https URL, taken apart.
struct http_url {
  bool secure = true;
  std::string host; ///< in lower case; an IPv6 address without brackets
  std::string port; ///< decimal
  std::string path; ///< begins with `/`; with the query
};

/// Reads a URL. User names, fragments, spaces and control characters are refused with a sentence.
/// By hand: with Boost.URL, 70 KB and 13 s of compiling, each of these refusals would stand here as
/// it does.
result_or<http_url> parse_http_url(std::string_view text);

/// Whether the host is this machine by its name or address: `localhost`, 127.0.0.0/8, `::1`.
bool is_loopback(const http_url& url);

/// The host as a `Host` header has it: with brackets where needed, and the port unless it is the
/// scheme's own.
std::string host_header(const http_url& url);

} // namespace gasoline
