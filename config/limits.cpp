#include "config/limits.hpp"

namespace gasoline {
namespace {

std::vector<limit_row> make_table() {
  std::vector<limit_row> table;
  std::string_view title;
#define LIMIT_ROOM(room, text) title = text;
#define LIMIT(room, member, name, value, min, max, text)                                           \
  table.push_back({title, name, text, min, max, [](const limits& of) { return of.room.member; },   \
                   [](limits& of, std::uint64_t to) { of.room.member = to; }});
#define LIMIT_END(room)
#include "config/limits.def"
#undef LIMIT_ROOM
#undef LIMIT
#undef LIMIT_END
  return table;
}

} // namespace

const std::vector<limit_row>& limit_table() {
  static const auto table = make_table();
  return table;
}

std::string limit_table_text() {
  std::string out = "| name | default | from | to | what it bounds |\n|---|---|---|---|---|\n";
  for (const auto& row : limit_table()) {
    out += "| `" + std::string{row.name} + "` | " + std::to_string(row.get({})) + " | ";
    out += std::to_string(row.min) + " | " + std::to_string(row.max) + " | ";
    out += std::string{row.room} + ": " + std::string{row.text} + " |\n";
  }
  return out;
}

} // namespace gasoline
