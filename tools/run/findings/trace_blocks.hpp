#pragma once

#include "tools/run/findings/output_finding.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The lines of one trace, and a few that stood before it.
struct trace_lines {
  std::vector<std::string> before; ///< oldest first
  std::vector<std::string> lines;
};

/// How the traces of one language are told from other output. Expressions are RE2, searched in a
/// line without colours.
struct trace_rule {
  const char* tool;
  const char* starts;     ///< a line that a trace begins with
  const char* goes_on;    ///< a line that belongs to one that has begun
  const char* last;       ///< a line that belongs to it and ends it; empty: none
  const char* resumes;    ///< what makes it go on after that line; empty: nothing
  const char* confirms;   ///< what one must hold to be a trace at all; empty: it is one at once
  std::size_t free_lines; ///< how many lines may come before what confirms it, whatever they are
  bool starts_before;     ///< the line before the first one begins it, if it says anything
  /// The error; nothing: it was none.
  std::optional<output_finding> (*read)(const trace_lines& lines);
};

/// All of them. The first that a line starts is taken.
const std::vector<trace_rule>& trace_rules();

} // namespace gasoline
