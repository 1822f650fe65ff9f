#pragma once

#include <cstddef>
#include <vector>

namespace gasoline {

/// How a tool says that code does not compile. Expressions are RE2; the groups `file`, `line`,
/// `column`, `code` and `message` are what an error is made of.
struct compile_rule {
  const char* tool;
  const char* head;  ///< the line that an error begins with
  const char* place; ///< where it tells the place, if that is a line of its own; empty: it is not
  std::size_t ahead; ///< how many lines after the head belong to it, up to an empty one
  bool needs_place;  ///< without one it is no error of this tool
};

/// What a line says about a build as a whole.
enum class build_word : unsigned char {
  begins,          ///< another one
  passed,          ///< it is well
  passed_if_clean, ///< it has ended, well if no error has been told since it began
};

/// How a tool says that.
struct build_rule {
  const char* tool;
  const char* line;
  build_word means;
};

const std::vector<compile_rule>& compile_rules();
const std::vector<build_rule>& build_rules();

} // namespace gasoline
