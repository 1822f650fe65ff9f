#include "actors/redaction/redactor.hpp"

#include "actors/base/exception_guard.hpp"

namespace gasoline {
namespace {

nlohmann::json masks_of(const redactor_state& state) {
  auto out = nlohmann::json::object();
  for (const auto& [rule, count] : state.masks.counts())
    out[rule] = count;
  return out;
}

} // namespace

redactor_actor::behavior_type redactor(redactor_actor::stateful_pointer<redactor_state> self,
                                       const noise_filter_actor& next,
                                       const std::shared_ptr<const redaction_engine>& engine) {
  guard_exceptions(self);
  return {
      [self](health_atom) {
        return std::make_shared<const nlohmann::json>(
            nlohmann::json{{"redactor",
                            {{"events", self->state.events},
                             {"masks", masks_of(self->state)},
                             {"escapes", self->state.masks.escapes()}}}});
      },
      [self, next, engine](batch_atom, const raw_batch_ptr& raw) {
        auto out = std::make_shared<redacted_batch>();
        out->ticket = std::move(raw->ticket);
        out->events.reserve(raw->events.size());
        for (auto& e : raw->events)
          out->events.push_back(engine->redact(std::move(e), self->state.masks));
        self->state.events += out->events.size();
        caf::anon_send(next, batch_atom_v, std::move(out));
      },
  };
}

} // namespace gasoline
