#pragma once

#include "actors/redaction/rules/triggers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gasoline::redaction {

/// A deterministic automaton that finds all triggers in one pass, one table look-up a byte.
/// RE2::Set is as fast (2.7 ns a byte, this 3.2 ns) but tells which triggers occur and not where;
/// Hyperscan tells where, takes 16 MB and runs on amd64 alone.
class trigger_automaton {
 public:
  using state = std::uint16_t;

  /// Compiles the triggers, which must outlive the automaton. Takes about 85 ms of CPU time.
  explicit trigger_automaton(std::span<const trigger> triggers);

  /// Whether a trigger that is part of the filter occurs.
  bool filter_hit(std::string_view text) const;

  /// The state before the first byte.
  state start() const noexcept { return start_; }

  state step(state s, char c) const noexcept {
    return next_[(std::size_t{s} << shift_) + classes_[static_cast<unsigned char>(c)]];
  }

  /// Whether a trigger of the scan ends here.
  bool accepts(state s) const noexcept { return s >= first_accepting_; }

  /// The triggers that end here; only for states that accept.
  std::span<const std::uint16_t> accepted(state s) const noexcept { return accepted_[s]; }

  /// The bytes that the trigger of that number spans.
  std::size_t length(std::uint16_t number) const noexcept { return lengths_[number]; }

  std::size_t states() const noexcept { return accepted_.size(); }

 private:
  struct builder;

  std::array<std::uint8_t, 256> classes_{};
  std::vector<state> next_;
  std::vector<std::vector<std::uint16_t>> accepted_;
  std::vector<std::size_t> lengths_;
  std::size_t shift_ = 0;
  std::size_t longest_ = 0;
  state root_ = 0;
  state start_ = 0;
  state first_accepting_ = 0;
  state first_filtering_ = 0;
};

} // namespace gasoline::redaction
