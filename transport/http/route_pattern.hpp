#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// Whether the path is one of the pattern: the same segment by segment, where `{name}` stands for
/// any segment that is not empty, a last `*` for all that follows, and a first `*` for all that
/// leads there, one segment or more.
bool covers(std::string_view pattern, std::string_view path);

/// Whether the pattern ends in `/*` or begins with `*/`: a row for what no other row covers.
bool is_open_pattern(std::string_view pattern);

/// The segment that stands for `{name}`, percent-decoded; nothing when the pattern has no such name
/// or the segment cannot be decoded. The path is one that the pattern covers.
std::optional<std::string> path_parameter(std::string_view pattern, std::string_view path,
                                          std::string_view name);

} // namespace gasoline
