#pragma once

#include "actors/base/actor_timers.hpp"
#include "actors/frames/scripts/map_reader.hpp"
#include "actors/frames/scripts/script_cache.hpp"
#include "messages/actors.hpp"
#include "messages/agents/http_fetch.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gasoline {

/// Where scripts and their maps come from.
struct script_sources {
  std::shared_ptr<http_fetcher> fetcher; ///< of those of pages; null: none are fetched
  bool has_disk = false;                 ///< programs of this user have theirs on the disk
};

struct frame_resolver_state {
  static inline const char* name = "frame_resolver";

  /// A batch that waits for maps. Its POST has been answered.
  struct held_batch {
    raw_batch_ptr batch;
    std::set<std::string> missing; ///< scripts that are not known yet
    std::uint64_t bytes = 0;
    mono_time until{};
  };

  std::optional<script_cache> scripts;
  std::map<std::string, std::set<std::string>> map_fetches; ///< address of a map -> its scripts
  std::map<std::string, std::deque<held_batch>> held;       ///< by the page's origin, in order
  std::uint64_t held_bytes = 0;
  std::set<std::uint64_t> unsettled; ///< numbers of batches that were held and are under way
  std::uint64_t last_number = 0;
  /// Who wants to know when the batches up to a number have been handled.
  std::vector<std::pair<std::uint64_t, caf::typed_response_promise<bool>>> waiting;
  map_reader_actor reader; ///< null until there is something for it
  std::uint64_t open_fetches = 0;
  actor_timers timers;
  std::uint64_t timer = 0; ///< of the batch that is due first; 0: none runs

  std::uint64_t mapped = 0;    ///< frames
  std::uint64_t unmapped = 0;  ///< events that are marked
  std::uint64_t late = 0;      ///< batches that did not wait to the end
  std::uint64_t fetched = 0;   ///< files that came
  std::uint64_t failed = 0;    ///< files that did not
  std::uint64_t not_asked = 0; ///< scripts for which too many fetches were open
};

/// Leads the frames of pages' stacks back to the project, before anything is redacted, keyed or
/// stored. Scripts and their source maps are fetched, when an error first names them, from the
/// origin that the browser vouches for with its `Origin` header, on this machine only, without
/// following redirects. A batch whose scripts are not known waits for them `hold_ms` at most, what
/// comes from the same origin behind it in order; its POST is answered meanwhile. Where no map can
/// be had the frames stay, and the event says so: `unmapped`. The frames of programs without a
/// browser are led back in the same way, by scripts and maps on the disk.
frame_resolver_actor::behavior_type
frame_resolver(frame_resolver_actor::stateful_pointer<frame_resolver_state> self,
               const redactor_actor& next, script_sources sources, limits_of<frames_room> limit);

} // namespace gasoline
