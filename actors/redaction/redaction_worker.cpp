#include "actors/redaction/redaction_worker.hpp"

#include "actors/base/exception_guard.hpp"

#include <utility>

namespace gasoline {

redacted_batch_ptr redact_batch(raw_batch& raw, const redaction_engine& engine,
                                redaction::mask_log& log) {
  auto out = std::make_shared<redacted_batch>();
  out->ticket = std::move(raw.ticket);
  out->events.reserve(raw.events.size());
  for (auto& e : raw.events)
    out->events.push_back(engine.redact(std::move(e), log));
  raw.events.clear();
  return out;
}

redaction_worker_actor::behavior_type
redaction_worker(redaction_worker_actor::stateful_pointer<redaction_worker_state> self,
                 const std::shared_ptr<const redaction_engine>& engine) {
  guard_exceptions(self);
  return {
      [engine](batch_atom, const raw_batch_ptr& raw) {
        auto out = std::make_shared<redacted_apart>();
        out->batch = redact_batch(*raw, *engine, out->masks);
        return redacted_apart_ptr{std::move(out)};
      },
  };
}

} // namespace gasoline
