#pragma once

#include "actors/redaction/rules/triggers/triggers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gasoline::redaction {

/// The bytes that may stand at one place of a trigger, a bit for each.
using byte_class = std::array<std::uint64_t, 4>;

inline bool holds(const byte_class& bytes, unsigned char b) {
  return ((bytes[b / 64U] >> (b % 64U)) & 1U) != 0;
}

/// How many neighbouring bytes are looked at to tell where a trigger may be.
inline constexpr std::size_t window_size = 4;

/// What a byte counts as in a window: letters of both cases are one, digits are one, and so on. One
/// that tells by itself that a trigger may be there has `lone_symbol`. 0 is behind the end of a
/// text.
using byte_symbols = std::array<std::uint8_t, 256>;
inline constexpr std::uint8_t lone_symbol = 0x80;

/// The symbols of a window as a number, the first lowest.
using window_number = std::uint32_t;

/// The number under which triggers are listed that a single byte may be a sign of.
constexpr window_number lone_number(std::uint8_t symbol) {
  return 0xFFFFFF00U | symbol;
}

/// A bit for each hash of a window in which a trigger may be; most windows of a text have none.
inline constexpr std::size_t mark_bits = 20;
using window_marks = std::array<std::uint64_t, (1U << mark_bits) / 64>;

constexpr std::uint32_t hash_of(window_number window) {
  return window * 0x9E3779B1U;
}

/// Where in a table of so many slots a window has its place, if none before it took that.
constexpr std::size_t slot_of(window_number window, std::size_t slots) {
  return static_cast<std::size_t>((std::uint64_t{hash_of(window)} * slots) >> 32U);
}

/// A place of the hash table of windows: the triggers that have the window.
struct window_slot {
  window_number window = 0; ///< 0: the place is free
  std::uint16_t first = 0;  ///< in `trigger_tables::listed`
  std::uint16_t end = 0;
};

struct placed_trigger {
  std::uint16_t number = 0; ///< in the list of triggers
  std::uint16_t places = 0; ///< where its classes begin in `trigger_tables::places`
  std::uint8_t length = 0;  ///< in bytes
  std::uint8_t window = 0;  ///< bytes in front of its window
};

/// What a search for triggers reads: views of tables that the program holds (made at build time,
/// `built_in_filter`) or that a `trigger_table_set` owns.
struct trigger_tables {
  const byte_symbols& symbols;
  const window_marks& marks;
  std::span<const window_slot> slots;    ///< as many as a power of two, some free
  std::span<const std::uint16_t> listed; ///< indices into `triggers`
  std::span<const placed_trigger> triggers;
  std::span<const std::uint8_t> places; ///< indices into `classes`
  std::span<const byte_class> classes;
};

/// The built-in triggers that send a text to the careful passes.
trigger_tables built_in_filter();
/// The built-in triggers that the pass over a text looks for.
trigger_tables built_in_scan();
/// What follows from the built-in trigger of each number.
std::span<const trigger_effect> built_in_effects();

} // namespace gasoline::redaction
