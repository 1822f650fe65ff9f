#include "transport/nats/nats_streams.hpp"

#include "messages/base/own_log.hpp"
#include "transport/nats/jetstream_codec.hpp"
#include "transport/nats/nats_calls.hpp"
#include "transport/nats/nats_commands.hpp"
#include "transport/nats/nats_connection.hpp"
#include "transport/nats/nats_consumers.hpp"
#include "transport/nats/nats_link.hpp"
#include "transport/nats/nats_listing.hpp"
#include "transport/nats/nats_news.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr std::string_view lifecycle_subjects = "$JS.EVENT.ADVISORY.STREAM.*.*";
constexpr std::string_view delivery_replies = "$JS.ACK.";

// --- what arrives ---

void settle_event(nats_link self, std::uint64_t number, stored_place place) {
  auto& unacknowledged = self->state.unacknowledged;
  if (const auto stream = unacknowledged.settle(number, std::move(place)))
    unacknowledged.send_stream(
        *stream, now_of(self),
        [self](std::uint64_t n, nats_message& message) { send_event(self, n, message); });
}

void take_acknowledgement(nats_link self, std::uint64_t number, const nats_message& message) {
  const auto answer = json::parse(message.data, nullptr, false);
  const auto problem = error_of(answer);
  if (message.status == no_responders || (problem && problem->code == unavailable_code))
    self->state.unacknowledged.stall(number); // sent again by the next ticks
  else if (problem)
    settle_event(self, number,
                 {0, stream_outcome::invalid,
                  "The NATS server does not take the event: " + problem->description + "."});
  else
    settle_event(self, number, {answer.value("seq", std::uint64_t{0}), stream_outcome::done, {}});
}

/// Something happened to a stream, there or in another engine.
void take_change(nats_link self, const nats_message& message) {
  if (!self->state.synced)
    return; // the list that is being read shows it
  const auto last = std::string_view{message.subject}.substr(message.subject.rfind('.') + 1);
  const auto name = message.subject.starts_with("$JS") ? stream_of_jetstream(last)
                                                       : std::optional<std::string>{last};
  if (name && is_wanted(self->state, *name))
    look_at(self, *name, [](const api_result&) {});
}

void take_message(nats_link self, nats_message&& message, stored_events& batch) {
  const auto& inbox = self->state.connection->inbox();
  // What is delivered keeps the subject that it was published to.
  if (message.status == from_server || message.reply.starts_with(delivery_replies)) {
    take_delivery(self, std::move(message), batch);
    return;
  }
  if (!message.subject.starts_with(inbox)) {
    take_change(self, message);
    return;
  }
  const auto rest = std::string_view{message.subject}.substr(inbox.size() + 1);
  std::uint64_t number = 0;
  const auto digits = rest.substr(std::min<std::size_t>(rest.size(), 2));
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc{})
    return;
  if (static_cast<inbox_kind>(rest.front()) == inbox_kind::answer)
    take_answer(self, number, message);
  else
    take_acknowledgement(self, number, message);
}

// --- the connection ---

void lose(nats_link self, std::string problem) {
  auto& state = self->state;
  state.connection.reset();
  state.synced = false;
  state.consumers.clear();
  state.flow_replies.clear();
  for (auto& [name, stream] : state.streams)
    stream.consumer = 0;
  if (state.problem != problem) {
    own_log::warn("nats: {}", problem);
    state.problem = std::move(problem);
  }
  tell_registry(self, backend_loss{state.problem});
  for (auto& [number, call] : std::exchange(state.calls, {}))
    call.done(tl::unexpected(user_error{state.problem}));
  self->delayed_send(self, state.retry, attach_atom_v);
  state.retry = std::min(state.retry * 2, milliseconds{state.config.limit.nats.retry_ms});
}

void connect(nats_link self) {
  auto& state = self->state;
  if (state.connection)
    return;
  const auto number = ++state.connection_number;
  const nats_streams_actor own{self};
  nats_sink sink;
  sink.take = [own, number](std::vector<nats_message> messages) {
    caf::anon_send(own, receive_atom_v, number,
                   std::make_shared<std::vector<nats_message>>(std::move(messages)));
  };
  sink.refused = [own, number](std::string what) {
    caf::anon_send(own, status_atom_v, number, std::move(what));
  };
  sink.lost = [own, number] { caf::anon_send(own, closed_atom_v, number); };
  const auto& limit = state.config.limit;
  auto made = nats_connection::open(state.config.nats, milliseconds{limit.nats.connect_ms},
                                    milliseconds{limit.nats.heartbeat_ms}, std::move(sink));
  if (!made) {
    lose(self, made.error().message);
    return;
  }
  state.connection = std::move(*made);
  state.refusal.clear();
  const bool listens =
      state.connection->subscribe(inbox_of(self, inbox_kind::answer) + ".*") &&
      state.connection->subscribe(inbox_of(self, inbox_kind::acknowledgement) + ".*") &&
      state.connection->subscribe(inbox_of(self, inbox_kind::delivery)) &&
      state.connection->subscribe(std::string{lifecycle_subjects}) &&
      state.connection->subscribe(changed_subject("*"));
  if (!listens) {
    lose(self, "The NATS server was lost while it was being asked for the streams.");
    return;
  }
  read_list(self, [self](const stream_list& found) {
    if (found)
      finish_list(self, *found);
    else
      lose(self, found.error().message);
  });
}

/// The server does not answer what it does not permit, so this is why something becomes overdue.
void note_refusal(nats_link self, std::string what) {
  auto& refusal = self->state.refusal;
  if (refusal == what)
    return;
  refusal = std::move(what);
  own_log::warn("nats: {} says: {}", shown_servers(self->state.config.nats), refusal);
}

void audit(nats_link self) {
  self->delayed_send(self, milliseconds{self->state.config.limit.nats.audit_ms}, watch_atom_v);
  // That a cluster cannot list them, because it is choosing a leader, is no reason to leave it.
  if (self->state.synced)
    read_list(self, [self](const stream_list& found) {
      if (found && self->state.synced)
        compare(self, *found);
    });
}

nats_streams_actor::behavior_type nats_streams(nats_link self, settings config) {
  self->state.config = std::move(config);
  self->set_exception_handler([](std::exception_ptr& e) -> caf::error {
    try {
      std::rethrow_exception(e);
    } catch (const std::exception& x) {
      own_log::critical("nats_streams failed: {}", x.what());
    }
    return caf::make_error(caf::sec::runtime_error);
  });
  return {
      [self](join_atom, const stream_registry_actor& registry) {
        self->state.registry = registry;
        self->delayed_send(self, milliseconds{self->state.config.limit.nats.audit_ms},
                           watch_atom_v);
        connect(self);
      },
      [self](write_atom, const store_events_ptr& wanted) { return store(self, *wanted); },
      [self](stream_atom, const backend_command& command) {
        return carry_out_there(self, command);
      },
      [self](receive_atom, std::uint64_t connection, const nats_batch_ptr& messages) {
        stored_events batch;
        for (auto& message : *messages) {
          if (connection != self->state.connection_number || !self->state.connection)
            break;
          take_message(self, std::move(message), batch);
        }
        if (!batch.events.empty())
          tell_registry(self, std::move(batch));
        answer_flow_control(self);
      },
      [self](status_atom, std::uint64_t connection, std::string& what) {
        if (connection == self->state.connection_number)
          note_refusal(self, std::move(what));
      },
      [self](closed_atom, std::uint64_t connection) {
        if (connection == self->state.connection_number && self->state.connection)
          lose(self, "The NATS server at " + shown_servers(self->state.config.nats) +
                         " has closed the connection, or is gone.");
      },
      [self](attach_atom) { connect(self); },
      [self](tick_atom) { look_for_overdue(self); },
      [self](watch_atom) { audit(self); },
  };
}

} // namespace

stream_backend_actor spawn_nats_streams(caf::actor_system& system, const settings& config) {
  return system.spawn<caf::detached>(nats_streams, config);
}

} // namespace gasoline
