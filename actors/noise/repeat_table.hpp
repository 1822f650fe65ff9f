#pragma once

#include "config/limits.hpp"
#include "messages/telemetry/event.hpp"
#include "messages/telemetry/noise.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {

/// A rule that repeats suggest.
struct rule_proposal {
  noise_field field = noise_field::message;
  std::string pattern;  ///< RE2 expression
  redacted_text sample; ///< what repeats, with placeholders for what varies
  std::uint64_t count = 0;
};

/// Counts how often log messages below level error, and requests to health checks and other paths
/// of the infrastructure, repeat. Uncaught errors and failing servers are never counted. Holds
/// `noise_repeat_entries` entries; a new one takes the place of the rarest among its neighbours.
/// O(1) per event, and no allocation for what is seen once.
class repeat_table {
 public:
  explicit repeat_table(const limits_of<alert_room, noise_room>& limit);

  void add(const event& e);

  /// Rules for what was seen `noise_repeat_threshold` times or more, most frequent first. Their
  /// counts start over.
  std::vector<rule_proposal> take_proposals();

 private:
  struct slot {
    std::uint64_t hash = 0; ///< 0: free
    std::uint64_t count = 0;
    noise_field field = noise_field::message;
    redacted_text sample; ///< set when it is seen again
  };

  slot& slot_for(std::uint64_t hash);
  slot& counted(std::uint64_t hash, noise_field field, std::uint64_t count);

  std::uint64_t threshold_;
  std::size_t sample_bytes_;
  std::vector<slot> slots_;
};

} // namespace gasoline
