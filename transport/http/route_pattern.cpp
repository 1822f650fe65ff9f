#include "transport/http/route_pattern.hpp"

#include "messages/base/percent_encoding.hpp"

#include <algorithm>

namespace gasoline {
namespace {

/// Takes the first segment off, and the slash behind it.
std::string_view take_segment(std::string_view& rest) {
  const auto slash = rest.find('/');
  const auto segment = rest.substr(0, slash);
  rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
  return segment;
}

bool is_parameter(std::string_view segment) {
  return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

std::size_t slashes_of(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '/'));
}

} // namespace

bool is_open_pattern(std::string_view pattern) {
  return pattern.ends_with("/*");
}

bool covers(std::string_view pattern, std::string_view path) {
  if (is_open_pattern(pattern)) {
    const auto below = pattern.substr(0, pattern.size() - 1);
    return path.size() > below.size() && path.starts_with(below);
  }
  if (pattern.find('{') == std::string_view::npos)
    return pattern == path;
  if (slashes_of(pattern) != slashes_of(path))
    return false;
  for (auto left = slashes_of(pattern) + 1; left > 0; --left) {
    const auto wanted = take_segment(pattern);
    const auto found = take_segment(path);
    if (is_parameter(wanted) ? found.empty() : wanted != found)
      return false;
  }
  return true;
}

std::optional<std::string> path_parameter(std::string_view pattern, std::string_view path,
                                          std::string_view name) {
  while (!pattern.empty()) {
    const auto wanted = take_segment(pattern);
    const auto found = take_segment(path);
    if (is_parameter(wanted) && wanted.substr(1, wanted.size() - 2) == name)
      return percent_decoded(found);
  }
  return std::nullopt;
}

} // namespace gasoline
