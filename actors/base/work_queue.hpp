#pragma once

#include "actors/base/side_worker.hpp"
#include "messages/actors.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace gasoline {

/// Has large work done where it holds up nobody, one after the other in the order in which it came,
/// so that however many ask at once, one thread is busy with it.
using work_queue_actor = health_source::extend<
    // Has the work done, then answers true; false: too much waits already, and it is not done.
    caf::replies_to<write_atom, side_work_ptr>::with<bool>>;

/// Where a queue has its work done.
enum class work_place : std::uint8_t {
  own_thread, ///< a thread that is there while there is work
  at_once     ///< in the turn in which it is asked for: runs in virtual time are the same each time
};

struct work_queue_state {
  static inline const char* name = "work_queue";

  struct waiting_work {
    side_work_ptr work;
    caf::typed_response_promise<bool> asked;
  };

  std::deque<waiting_work> waiting; ///< the first one is being done
  std::uint64_t done = 0;
  std::uint64_t refused = 0;
};

/// `most`: pieces of work that may wait, with the one that is being done.
work_queue_actor::behavior_type
work_queue(work_queue_actor::stateful_pointer<work_queue_state> self, work_place place,
           std::uint64_t most);

} // namespace gasoline
