#pragma once

#include "actors/redaction/rules/triggers/trigger_tables.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace gasoline::redaction {

/// Owns the tables of some triggers: of the built-in ones while the program is built, of the user's
/// at start. Some 20 us for ten triggers.
class trigger_table_set {
 public:
  /// Takes the triggers of that use and those of both; they keep their numbers. There may be 255
  /// different classes of bytes in them, and none may be longer than 255 bytes.
  trigger_table_set(std::span<const trigger> triggers, trigger_use use);

  /// As long as the set lives.
  trigger_tables view() const;

 private:
  /// The triggers under each window, or under each lone symbol.
  using window_lists = std::map<window_number, std::vector<std::uint16_t>>;

  std::uint16_t place(const std::vector<byte_class>& pattern, std::size_t number,
                      std::size_t window);
  void mark_lone_symbols(window_lists& lists);
  void make_slots(const window_lists& lists);

  byte_symbols symbols_{};
  window_marks marks_{};
  std::vector<window_slot> slots_;
  std::vector<std::uint16_t> listed_;
  std::vector<placed_trigger> triggers_;
  std::vector<std::uint8_t> places_;
  std::vector<byte_class> classes_;
};

} // namespace gasoline::redaction
