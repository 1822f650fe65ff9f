#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Ends the list of rooms.
struct no_more_rooms {};

/// The limits of one room, as a base of whoever is given them: `struct http_room { … http; }` and
/// so on. The rows are in `limits.def`.
#define LIMIT_ROOM(room, title)                                                                    \
  struct room##_room {                                                                             \
    struct room##_limits {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declarator takes none
#define LIMIT(room, member, name, value, min, max, text) std::uint64_t member = value;
#define LIMIT_END(room)                                                                            \
  }                                                                                                \
  room;                                                                                            \
  }                                                                                                \
  ;
#include "config/limits.def"
#undef LIMIT_ROOM
#undef LIMIT
#undef LIMIT_END

/// What is given the limits of these rooms, and maybe of others.
template <class Holder, class... Rooms>
concept has_limits_of = (std::derived_from<Holder, Rooms> && ...);

/// The limits of these rooms: a part of the program is given its own. Whoever has them and more
/// gives them on as they are.
template <class... Rooms>
struct limits_of : Rooms... {
  limits_of() = default;

  template <has_limits_of<Rooms...> More>
  limits_of(const More& from) : Rooms(from)... {} // NOLINT(google-explicit-constructor)
};

/// Every cap and window of the program, each with its default, by the room that it belongs to.
/// Nothing else in the code holds a number of this kind.
// clang-format off
struct limits :
#define LIMIT_ROOM(room, title) room##_room,
#define LIMIT(room, member, name, value, min, max, text)
#define LIMIT_END(room)
#include "config/limits.def"
#undef LIMIT_ROOM
#undef LIMIT
#undef LIMIT_END
    no_more_rooms {};
// clang-format on

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
