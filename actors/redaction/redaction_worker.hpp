#pragma once

#include "actors/redaction/redaction_engine.hpp"
#include "actors/redaction/rules/mask_log.hpp"
#include "messages/actors.hpp"

#include <memory>

namespace gasoline {

/// A batch that was redacted apart.
struct redacted_apart {
  redacted_batch_ptr batch;
  redaction::mask_log masks; ///< what was masked in it
};

using redacted_apart_ptr = std::shared_ptr<const redacted_apart>;

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::redacted_apart_ptr)

namespace gasoline {

/// Redacts batches on a thread of its own.
using redaction_worker_actor = caf::typed_actor<
    // Redacts one batch, which is the worker's alone until the answer.
    caf::replies_to<batch_atom, raw_batch_ptr>::with<redacted_apart_ptr>>;

struct redaction_worker_state {
  static inline const char* name = "redaction_worker";
};

/// What `engine` leaves of a batch; masks are noted in `log`.
redacted_batch_ptr redact_batch(raw_batch& raw, const redaction_engine& engine,
                                redaction::mask_log& log);

/// To be spawned detached. `engine` is shared by all threads: its use is `const`.
redaction_worker_actor::behavior_type
redaction_worker(redaction_worker_actor::stateful_pointer<redaction_worker_state> self,
                 const std::shared_ptr<const redaction_engine>& engine);

} // namespace gasoline
