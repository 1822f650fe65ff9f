#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gasoline::test {

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline std::size_t count(std::string_view text, std::string_view part) {
  std::size_t out = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++out;
  return out;
}

/// What follows the head of an HTTP response.
inline std::string body_of(const std::string& response) {
  return response.substr(response.find("\r\n\r\n") + 4);
}

} // namespace gasoline::test
