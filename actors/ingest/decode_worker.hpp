#pragma once

#include "actors/ingest/decoding/body_decoder.hpp"
#include "messages/actors.hpp"

#include <memory>
#include <string>

namespace gasoline {

/// A body that is decoded apart.
struct decode_task {
  const ingest_format* format = nullptr;
  std::string body; ///< overwritten
  wall_time now{};  ///< labels what carries no time
  ingest_head head;
};

using decode_task_ptr = std::shared_ptr<decode_task>;

/// What came of it: the asker's to take apart.
using decode_result_ptr = std::shared_ptr<result_or<decoded_body>>;

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::decode_task_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::decode_result_ptr)

namespace gasoline {

/// Decodes large bodies on a thread of its own.
using decode_worker_actor = caf::typed_actor<
    // Decodes one body of a format that is not `in_turn`; the task is the worker's alone.
    caf::replies_to<ingest_atom, decode_task_ptr>::with<decode_result_ptr>>;

struct decode_worker_state {
  static inline const char* name = "decode_worker";
};

/// To be spawned detached. Keeps nothing from one body to the next.
decode_worker_actor::behavior_type
decode_worker(decode_worker_actor::stateful_pointer<decode_worker_state> self,
              const decode_limits& limit, const std::shared_ptr<const redaction_engine>& redaction);

} // namespace gasoline
