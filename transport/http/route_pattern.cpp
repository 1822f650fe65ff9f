#include "transport/http/route_pattern.hpp"

#include "messages/base/encoding/percent_encoding.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gasoline {
namespace {

constexpr std::string_view any_lead = "*/";

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

/// The end of a path that has that many slashes; empty: the path has no more.
std::string_view end_with(std::size_t slashes, std::string_view path) {
  const auto all = slashes_of(path);
  if (all <= slashes)
    return {};
  for (auto left = all; left > slashes; --left)
    path.remove_prefix(path.find('/', 1));
  return path;
}

/// The two without what stands before the pattern's first slash, where that may be anything.
std::pair<std::string_view, std::string_view> without_lead(std::string_view pattern,
                                                           std::string_view path) {
  if (!pattern.starts_with(any_lead))
    return {pattern, path};
  pattern.remove_prefix(any_lead.size() - 1);
  return {pattern, end_with(slashes_of(pattern), path)};
}

} // namespace

bool is_open_pattern(std::string_view pattern) {
  return pattern.ends_with("/*") || pattern.starts_with(any_lead);
}

bool covers(std::string_view pattern, std::string_view path) {
  if (pattern.ends_with("/*")) {
    const auto below = pattern.substr(0, pattern.size() - 1);
    return path.size() > below.size() && path.starts_with(below);
  }
  std::tie(pattern, path) = without_lead(pattern, path);
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
  std::tie(pattern, path) = without_lead(pattern, path);
  while (!pattern.empty()) {
    const auto wanted = take_segment(pattern);
    const auto found = take_segment(path);
    if (is_parameter(wanted) && wanted.substr(1, wanted.size() - 2) == name)
      return percent_decoded(found);
  }
  return std::nullopt;
}

} // namespace gasoline
