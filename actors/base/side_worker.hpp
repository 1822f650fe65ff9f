#pragma once

#include "messages/base/atoms.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace gasoline {

/// Work over what it alone holds, until it is done.
using side_work = std::function<void()>;

/// Shared, since a message is copied.
using side_work_ptr = std::shared_ptr<const side_work>;

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::side_work_ptr)

namespace gasoline {

/// Works where it holds up nobody.
using side_worker_actor = caf::typed_actor<
    // Does the work, then answers true.
    caf::replies_to<write_atom, side_work_ptr>::with<bool>>;

/// When a worker ends.
enum class side_worker_life : std::uint8_t {
  one_task,  ///< by itself, once it has answered
  with_owner ///< with the actor that it is linked to
};

struct side_worker_state {
  static inline const char* name = "side_worker";
};

/// To be spawned detached.
side_worker_actor::behavior_type
side_worker(side_worker_actor::stateful_pointer<side_worker_state> self, side_worker_life life);

} // namespace gasoline
