#include "actors/ingest/decode_worker.hpp"

#include "actors/base/exception_guard.hpp"

#include <utility>

namespace gasoline {

decode_worker_actor::behavior_type
decode_worker(decode_worker_actor::stateful_pointer<decode_worker_state> self,
              const decode_limits& limit,
              const std::shared_ptr<const redaction_engine>& redaction) {
  guard_exceptions(self);
  return {
      [limit, redaction](ingest_atom, const decode_task_ptr& task) {
        return std::make_shared<result_or<decoded_body>>(body_decoder{limit, redaction}.decode(
            *task->format, std::move(task->body), task->now, task->head));
      },
  };
}

} // namespace gasoline
