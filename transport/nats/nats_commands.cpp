#include "transport/nats/nats_commands.hpp"

#include "transport/nats/jetstream_codec.hpp"
#include "transport/nats/nats_calls.hpp"
#include "transport/nats/nats_consumers.hpp"

#include <utility>
#include <variant>

namespace gasoline {
namespace {

using answer_promise = caf::typed_response_promise<backend_answer>;

stream_outcome outcome_of(const jetstream_error& problem) {
  if (problem.code == not_found_code)
    return stream_outcome::not_found;
  // A cluster that is choosing a leader.
  return problem.code == unavailable_code ? stream_outcome::unreachable : stream_outcome::invalid;
}

backend_answer refused_by(const jetstream_error& problem) {
  return {outcome_of(problem), "The NATS server refuses: " + problem.description + ".", 0};
}

/// What an answer of the API means for the one who asked, unless it is what was asked for.
std::optional<backend_answer> failure_of(const api_result& result) {
  if (!result)
    return backend_answer{stream_outcome::unreachable, result.error().message, 0};
  if (const auto problem = error_of(*result))
    return refused_by(*problem);
  return std::nullopt;
}

/// Carries out one command.
class backend_command_runner {
 public:
  backend_command_runner(nats_link self, answer_promise promise)
      : self_(self), promise_(std::move(promise)) {}

  void operator()(const shared_stream& wanted) {
    call_api(
        self_, "STREAM.CREATE." + jetstream_name(wanted.name),
        jetstream_request(wanted, self_->state.config.nats, self_->state.config.limit),
        [self = self_, promise = promise_, name = wanted.name](const api_result& result) mutable {
          if (const auto failure = failure_of(result)) {
            promise.deliver(*failure);
            return;
          }
          const auto found = jetstream_stream_of(*result);
          if (found && self->state.synced)
            adopt(self, *found);
          tell_engines(self, name);
          const bool made = result->value("did_create", true);
          promise.deliver(
              made ? backend_answer{}
                   : backend_answer{stream_outcome::exists,
                                    "Stream '" + name + "' was made by another engine just now.",
                                    0});
        });
  }

  void operator()(const delete_stream& wanted) {
    call_api(
        self_, "STREAM.DELETE." + jetstream_name(wanted.name), {},
        [self = self_, promise = promise_, name = wanted.name](const api_result& result) mutable {
          auto failure = failure_of(result);
          if (!failure || failure->outcome == stream_outcome::not_found) {
            forget(self, name);
            tell_engines(self, name);
          }
          promise.deliver(failure.value_or(backend_answer{}));
        });
  }

  void operator()(const purge_stream& wanted) {
    call_api(
        self_, "STREAM.PURGE." + jetstream_name(wanted.name), {},
        [self = self_, promise = promise_, name = wanted.name](const api_result& result) mutable {
          if (const auto failure = failure_of(result)) {
            promise.deliver(*failure);
            return;
          }
          tell_engines(self, name);
          const auto purged = result->value("purged", std::uint64_t{0});
          look_at(self, name, [promise, purged](const api_result&) mutable {
            promise.deliver(backend_answer{stream_outcome::done, {}, purged});
          });
        });
  }

  void operator()(const newest_of_stream& wanted) {
    look_at(self_, wanted.name, [promise = promise_](const api_result& info) mutable {
      if (const auto failure = failure_of(info)) {
        promise.deliver(*failure);
        return;
      }
      const auto found = jetstream_stream_of(*info);
      promise.deliver(backend_answer{stream_outcome::done, {}, found ? found->stream.newest : 0});
    });
  }

 private:
  nats_link self_;
  answer_promise promise_;
};

} // namespace

caf::result<backend_answer> carry_out_there(nats_link self, const backend_command& command) {
  if (!self->state.synced)
    return backend_answer{stream_outcome::unreachable, self->state.problem, 0};
  auto promise = self->make_response_promise<backend_answer>();
  std::visit(backend_command_runner{self, promise}, command);
  return promise;
}

caf::result<stored_places> store(nats_link self, const store_events& wanted) {
  auto& state = self->state;
  const auto cost = unacknowledged_events::cost_of(wanted);
  if (state.unacknowledged.bytes() + cost > state.config.limit.nats.unacknowledged_bytes)
    return stored_places(wanted.events.size(),
                         {0, stream_outcome::full,
                          "Too many events wait for the NATS server already; publish again when it "
                          "has taken them, or raise limits.nats_unacknowledged_bytes."});
  auto promise = self->make_response_promise<stored_places>();
  const auto first =
      state.unacknowledged.add(wanted, now_of(self), [promise](stored_places places) mutable {
        promise.deliver(std::move(places));
      });
  if (state.synced)
    state.unacknowledged.send_from(
        first, now_of(self),
        [self](std::uint64_t number, nats_message& message) { send_event(self, number, message); });
  plan_tick(self);
  return promise;
}

} // namespace gasoline
