#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Every cap and window of the program, each with its default, by the room that it belongs to.
/// Nothing else in the code holds a number of this kind. The rows are in `limits.def`.
struct limits {
#define LIMIT_ROOM(room, title) struct room##_limits {
#define LIMIT(room, member, name, value, min, max, text) std::uint64_t member = value;
#define LIMIT_END(room)                                                                            \
  }                                                                                                \
  room;
#include "config/limits.def"
#undef LIMIT_ROOM
#undef LIMIT
#undef LIMIT_END
};

/// One row of the limits table.
struct limit_row {
  std::string_view room; ///< what the rows around it are about
  std::string_view name; ///< in the configuration file: `limits.NAME`
  std::string_view text; ///< what it bounds, a few words
  std::uint64_t min;     ///< smallest value accepted
  std::uint64_t max;     ///< largest value accepted
  std::uint64_t (*get)(const limits&);
  void (*set)(limits&, std::uint64_t);
};

/// All limits in the order of the struct; the loader, `health`, `doctor` and the README use it.
const std::vector<limit_row>& limit_table();

/// The table as Markdown, for `config/README.md`: name, default, range, what it bounds.
std::string limit_table_text();

} // namespace gasoline
