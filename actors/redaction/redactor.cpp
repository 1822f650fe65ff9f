#include "actors/redaction/redactor.hpp"

#include "actors/base/exception_guard.hpp"

#include <utility>

namespace gasoline {
namespace {

using redactor_pointer = redactor_actor::stateful_pointer<redactor_state>;

/// Bytes of text whose redaction takes longer than handing them over: some 200 us beside 20.
constexpr std::size_t apart_bytes = 8U << 10U;

/// What the handlers share.
struct redactor_links {
  noise_filter_actor next;
  std::shared_ptr<const redaction_engine> engine;
};

/// A batch that was redacted apart, and what was masked in it.
struct redacted_apart {
  redacted_batch_ptr batch;
  redaction::mask_log masks;
};

nlohmann::json masks_of(const redactor_state& state) {
  auto out = nlohmann::json::object();
  for (const auto& [rule, count] : state.masks.counts())
    out[rule] = count;
  return out;
}

bool is_large(const raw_batch& batch) {
  std::size_t bytes = 0;
  for (const auto& e : batch.events) {
    bytes += e.bytes() - sizeof(raw_event);
    if (bytes >= apart_bytes)
      return true;
  }
  return false;
}

redacted_batch_ptr redact_batch(raw_batch& raw, const redaction_engine& engine,
                                redaction::mask_log& log) {
  auto out = std::make_shared<redacted_batch>();
  out->ticket = std::move(raw.ticket);
  out->events.reserve(raw.events.size());
  cleared_texts cleared;
  for (auto& e : raw.events)
    out->events.push_back(engine.redact(std::move(e), log, cleared));
  raw.events.clear();
  return out;
}

void pass_on(redactor_state& state, const redactor_links& links, redacted_batch_ptr batch) {
  state.events += batch->events.size();
  caf::anon_send(links.next, batch_atom_v, std::move(batch));
}

void take_next(redactor_pointer self, const redactor_links& links, const std::string& origin);

void redact_apart(redactor_pointer self, const redactor_links& links, const raw_batch_ptr& batch) {
  auto& workers = self->state.workers;
  if (!batch->origin.empty())
    self->state.behind.try_emplace(batch->origin);
  const auto done = std::make_shared<redacted_apart>();
  workers.run(
      self,
      [batch, done, engine = links.engine] {
        done->batch = redact_batch(*batch, *engine, done->masks);
      },
      [self, links, done, origin = batch->origin] {
        self->state.masks.add(done->masks);
        pass_on(self->state, links, std::move(done->batch));
        take_next(self, links, origin);
      });
}

/// Redacts a batch here or apart; whether it was here.
bool redact(redactor_pointer self, const redactor_links& links, const raw_batch_ptr& batch) {
  auto& state = self->state;
  if (state.workers.most() > 0 && is_large(*batch)) {
    redact_apart(self, links, batch);
    return false;
  }
  pass_on(state, links, redact_batch(*batch, *links.engine, state.masks));
  return true;
}

/// A batch of that page is done: those behind it go on, up to the next large one.
void take_next(redactor_pointer self, const redactor_links& links, const std::string& origin) {
  auto& behind = self->state.behind;
  const auto place = behind.find(origin);
  if (place == behind.end())
    return;
  while (!place->second.empty()) {
    const auto batch = std::move(place->second.front());
    place->second.pop_front();
    if (!redact(self, links, batch))
      return;
  }
  behind.erase(place);
}

void take_batch(redactor_pointer self, const redactor_links& links, const raw_batch_ptr& batch) {
  auto& behind = self->state.behind;
  if (const auto place = behind.find(batch->origin); place != behind.end())
    place->second.push_back(batch);
  else
    redact(self, links, batch);
}

} // namespace

redactor_actor::behavior_type redactor(redactor_pointer self, const noise_filter_actor& next,
                                       const std::shared_ptr<const redaction_engine>& engine,
                                       std::size_t workers) {
  guard_exceptions(self);
  self->state.workers = worker_pool{workers};
  return {
      [self](health_atom) {
        return std::make_shared<const nlohmann::json>(
            nlohmann::json{{"redactor",
                            {{"events", self->state.events},
                             {"masks", masks_of(self->state)},
                             {"escapes", self->state.masks.escapes()}}}});
      },
      [self, links = redactor_links{next, engine}](batch_atom, const raw_batch_ptr& raw) {
        take_batch(self, links, raw);
      },
  };
}

} // namespace gasoline
