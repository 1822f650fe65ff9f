#pragma once

#include "actors/frames/frame_rewriting.hpp"
#include "actors/frames/scripts/script_cache.hpp"
#include "messages/telemetry/event.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What was led back.
struct led_back {
  std::uint64_t mapped = 0;   ///< frames
  std::uint64_t unmapped = 0; ///< events that are marked
};

/// Leads events of one origin (empty: programs of this machine) back by what is known of scripts
/// now; asks for nothing. Where no map can be had the frames stay, and the event says so:
/// `unmapped`. The cache and the origin outlive it.
class frame_leader {
 public:
  frame_leader(script_cache& scripts, const std::string& origin)
      : scripts_(scripts), origin_(origin) {}

  /// A fault, whose scripts were asked for.
  void lead_fault(raw_event& e);

  /// Any other entry: nothing is asked for its sake.
  void lead_line(raw_event& e);

  const led_back& counts() const { return counts_; }

 private:
  map_lookup lookup();
  void lead_place(raw_event& e);
  const source_map* map_of(std::string_view file);
  const source_map* module_map(std::string_view module);
  bool lacks_module(std::string_view stack);
  std::string reason_of(bool lacks_module);

  script_cache& scripts_;
  const std::string& origin_;
  std::vector<std::string> names_; // of the event's scripts
  led_back counts_;
};

} // namespace gasoline
