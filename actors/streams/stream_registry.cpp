#include "actors/streams/stream_registry.hpp"

#include "actors/base/exception_guard.hpp"
#include "actors/streams/listener_news.hpp"
#include "actors/streams/shared_streams.hpp"
#include "actors/streams/stream_admission.hpp"
#include "actors/streams/stream_answers.hpp"
#include "actors/streams/stream_commands.hpp"
#include "messages/alerts/alert_json.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using registry_self = stream_registry_pointer;

/// A session's end ends what it has here.
void mind_session(registry_self self, const stream_notice_sink& session, client_id client) {
  const auto [known, added] = self->state.sessions.emplace(session.address(), client);
  if (added)
    self->monitor(session);
  else if (client != 0)
    known->second = client;
}

/// The read gets what there is by now.
void settle_read(registry_self self, std::uint64_t key) {
  auto& listeners = self->state.listeners;
  if (const auto* known = listeners.find(key);
      !known || !std::holds_alternative<waiting_read>(known->who))
    return;
  auto listener = listeners.take(key);
  auto& read = std::get<waiting_read>(listener->who);
  read.promise.deliver(self->state.directory->read(read.wanted));
}

void end_listeners(registry_self self, client_id client, const std::string& subscription) {
  for (const auto key : self->state.listeners.of_client(client, subscription))
    if (auto listener = self->state.listeners.take(key))
      if (auto* read = std::get_if<waiting_read>(&listener->who)) {
        stream_page page;
        page.problem = "The subscription has ended.";
        read->promise.deliver(std::move(page));
      }
}

stream_answer carry_out(registry_self self, const stream_command& command) {
  auto& state = self->state;
  stream_effects effects;
  const auto now = state.clock(self->clock().now());
  auto answer = run_stream_command(*state.directory, command, now, state.limit, effects);
  for (const auto& e : effects.events)
    spread(self, effects.stream, e);
  if (effects.deleted)
    drop_listeners(self, effects.stream);
  if (effects.changed)
    tell_of_change(self, effects.stream);
  if (!effects.ended_subscription.empty())
    end_listeners(self, std::get<end_subscription>(command).client, effects.ended_subscription);
  return answer;
}

/// The same where the command may have to wait for a backend.
void carry_out_shared(registry_self self, const stream_command& command,
                      const stream_reply& reply) {
  if (changes_streams(command)) {
    run_shared_command(self, command, reply);
    return;
  }
  const auto show = [self, command, reply] { reply(carry_out(self, command)); };
  // Before the streams are known there is nothing to show; when they cannot be had, there is not
  // either.
  when_known(self, {}, show, [show](const std::string&) { show(); });
}

stream_answer turned_away(registry_self self, const stream_refusal& refusal) {
  if (refusal.outcome == stream_outcome::forbidden)
    ++self->state.turned_away;
  return answer_of(refusal);
}

/// Carries out what the caller may do.
void take_command(registry_self self, const stream_command& asked, const asking_party& caller,
                  const stream_reply& reply) {
  const auto& state = self->state;
  const auto command = admitted_command(*state.directory, asked, caller, state.limit);
  if (!command)
    reply(turned_away(self, command.error()));
  else if (state.sharing.backend)
    carry_out_shared(self, *command, reply);
  else
    reply(carry_out(self, *command));
}

caf::result<stream_answer> answered(registry_self self, const stream_command& command,
                                    const asking_party& caller) {
  auto promise = self->make_response_promise<stream_answer>();
  take_command(self, command, caller,
               [promise](stream_answer answer) mutable { promise.deliver(std::move(answer)); });
  return promise;
}

stream_answer subscribe(registry_self self, const subscribe_stream& wanted) {
  auto& state = self->state;
  if (const auto refusal = not_yours(*state.directory, wanted.name, wanted.caller))
    return turned_away(self, *refusal);
  const auto made = state.directory->subscribe(wanted.client, wanted.name, wanted.topic);
  if (!made)
    return answer_of(made.error());
  const auto& subscription = **made;
  mind_session(self, wanted.session, wanted.client);
  if (wanted.notifies)
    state.listeners.add({subscription.stream, subscription.filter,
                         told_subscription{wanted.client, subscription.id, wanted.session}});
  return {stream_outcome::done, subscribed_text(subscription)};
}

caf::result<stream_answer> subscribe_when_known(registry_self self,
                                                const subscribe_stream& wanted) {
  if (!self->state.sharing.backend)
    return subscribe(self, wanted);
  auto promise = self->make_response_promise<stream_answer>();
  when_known(
      self, wanted.name,
      [self, wanted, promise]() mutable { promise.deliver(subscribe(self, wanted)); },
      [promise](const std::string& problem) mutable {
        promise.deliver(refused_stream(stream_outcome::unreachable, problem));
      });
  return promise;
}

caf::result<stream_page> read(registry_self self, const stream_read& wanted) {
  auto& state = self->state;
  auto page = state.directory->read(wanted);
  const bool waits = page.problem.empty() && page.events.empty() && wanted.wait.count() > 0;
  if (!waits)
    return page;
  const auto* subscription = state.directory->find_subscription(wanted.client, wanted.subscription);
  auto promise = self->make_response_promise<stream_page>();
  const auto key = state.listeners.add(
      {subscription->stream, subscription->filter, waiting_read{wanted, promise}});
  self->delayed_send(self, wanted.wait, tick_atom_v, key);
  return promise;
}

void give_back(registry_self self, client_id client, const std::string& subscription,
               std::uint64_t from, std::uint64_t to) {
  auto& state = self->state;
  state.directory->unread(client, subscription, from, to);
  for (const auto key : state.listeners.of_client(client, subscription))
    if (std::holds_alternative<waiting_read>(state.listeners.find(key)->who))
      try_read(self, key);
}

void watch(registry_self self, const stream_notice_sink& session, const std::string& stream,
           std::uint64_t seen) {
  mind_session(self, session, 0);
  const auto newest = newest_of(self, stream);
  if (newest > seen)
    caf::anon_send(session, stream_atom_v, notice_of(stream, newest));
  else
    self->state.listeners.watch(stream, {session, newest});
}

stream_opening refused_opening(const stream_refusal& refusal) {
  stream_opening out;
  out.refusal = answer_of(refusal);
  return out;
}

std::optional<stream_refusal> tap_problem(registry_self self, const open_tap& wanted) {
  const auto& state = self->state;
  const auto* stream = state.directory->find(wanted.stream);
  if (!stream)
    return no_such_stream(wanted.stream);
  if (stream->type != stream_type::sse)
    return stream_refusal{stream_outcome::forbidden,
                          "Stream " + quoted_text(wanted.stream) + " is of type " +
                              std::string{name_of(stream->type)} +
                              "; only streams that were created with stream_type sse are served "
                              "as Server-Sent Events."};
  if (state.listeners.taps() >= state.limit.stream.taps)
    return stream_refusal{stream_outcome::full, "Too many filters are being read at once."};
  return std::nullopt;
}

/// An id above all that were given is of another life, whatever it says.
place_of_reader place_in(const named_stream& stream, const stream_place& place) {
  if (place.id > stream.ring.newest_id() || (place.life && *place.life != stream.life))
    return place_of_reader::of_other_life;
  return place.life || place.id == 0 ? place_of_reader::known : place_of_reader::unsaid;
}

stream_opening join(registry_self self, const open_tap& wanted) {
  auto& state = self->state;
  if (const auto refusal = not_yours(*state.directory, wanted.stream, wanted.caller)) {
    ++state.turned_away;
    return refused_opening(*refusal);
  }
  if (const auto problem = tap_problem(self, wanted))
    return refused_opening(*problem);
  auto filter = topic_filter::parse(wanted.topic, state.limit);
  if (!filter)
    return refused_opening({stream_outcome::invalid, filter.error().message});
  const auto& stream = *state.directory->find(wanted.stream);
  stream_opening out;
  out.life = stream.life;
  out.place = wanted.after ? place_in(stream, *wanted.after) : place_of_reader::known;
  if (!wanted.after)
    out.from = stream.ring.newest_id();
  else if (out.place != place_of_reader::of_other_life)
    out.from = wanted.after->id;
  if (state.listeners.key_of(wanted.tap) == 0)
    state.listeners.add({wanted.stream, std::move(*filter), open_stream_tap{wanted.tap}});
  return out;
}

/// A tap whose stream is gone is told so by itself; until then there is nothing to read.
stream_piece read_piece_of(registry_self self, const read_piece& wanted) {
  auto& state = self->state;
  const auto* listener = state.listeners.find(state.listeners.key_of(wanted.tap));
  const auto* stream = listener ? state.directory->find(listener->stream) : nullptr;
  if (!stream)
    return {{}, wanted.after, 0, true};
  auto piece = state.directory->read_piece(*stream, listener->filter, wanted.after);
  state.missed_by_readers += piece.missed;
  return piece;
}

/// The id that has to be here before a reader with that place can be served; 0: none.
std::uint64_t awaited_id(registry_self self, const open_tap& wanted) {
  if (!wanted.after)
    return 0;
  const auto* stream = self->state.directory->find(wanted.stream);
  const bool of_other = stream && wanted.after->life && *wanted.after->life != stream->life;
  return of_other ? 0 : wanted.after->id;
}

void join_when_known(registry_self self, const open_tap_ptr& wanted) {
  const auto ready = [self, wanted] { wanted->reply(join(self, *wanted)); };
  if (!self->state.sharing.backend) {
    ready();
    return;
  }
  when_known(
      self, wanted->stream,
      [self, wanted, ready] {
        when_settled(self, wanted->stream, awaited_id(self, *wanted), ready);
      },
      [wanted](const std::string& problem) {
        wanted->reply(refused_opening({stream_outcome::unreachable, problem}));
      });
}

void take_alert(registry_self self, const alert_ptr& a) {
  if (a->update)
    return;
  auto& state = self->state;
  built_in_event e;
  e.stream = alerts_stream;
  e.type = literal{"alert"};
  e.topic = std::string{name_of(a->category)} + '.' + std::string{name_of(a->level)};
  e.data = alert_document::of(merged_alert{a}, state.limit);
  if (state.sharing.backend && state.sharing.alerts)
    share_alert(self, e, a->at);
  else
    spread(self, e.stream, state.directory->publish_built_in(e, a->at));
}

void forget_client(registry_self self, client_id client) {
  end_listeners(self, client, {});
  self->state.directory->forget(client);
}

void forget_session(registry_self self, const caf::actor_addr& session) {
  auto& state = self->state;
  const auto known = state.sessions.find(session);
  if (known == state.sessions.end())
    return;
  if (known->second != 0)
    forget_client(self, known->second);
  state.listeners.forget_watcher(session);
  state.sessions.erase(known);
}

json backend_health(const stream_waits& waits) {
  using condition = stream_waits::condition;
  json out{{"backend", "nats"},
           {"reachable", waits.now == condition::reachable},
           {"waiting_calls", waits.held()}};
  if (waits.now == condition::lost)
    out["problem"] = waits.problem;
  return out;
}

json health_of(const stream_registry_state& state) {
  const auto& directory = *state.directory;
  json out{{"named_streams",
            {{"streams", directory.size()},
             {"subscriptions", directory.subscriptions()},
             {"taps", state.listeners.taps()},
             {"waiting_reads", state.listeners.waiting()},
             {"published", directory.published()},
             {"turned_away", state.turned_away},
             {"buffered_bytes", directory.bytes()}}},
           {"dropped",
            {{"named_stream_events", directory.evicted()},
             {"named_stream_reader_events", state.missed_by_readers},
             {"named_stream_refusals", directory.refused()}}}};
  if (state.sharing.backend) {
    out["named_streams"].update(backend_health(state.waits));
    out["dropped"]["shared_alerts"] = state.waits.dropped_alerts;
  }
  return out;
}

std::vector<std::string> names_of(const stream_registry_state& state, const asking_party& caller) {
  std::vector<std::string> out;
  state.directory->for_each_behind({}, [&](const named_stream& stream) {
    if (!stream.is_built_in() && stream.admits(caller))
      out.push_back(stream.name);
    return true;
  });
  return out;
}

} // namespace

stream_registry_actor::behavior_type
stream_registry(registry_self self, std::shared_ptr<const redaction_engine> redaction,
                wall_clock clock, stream_sharing sharing, stream_registry_limits limit) {
  guard_exceptions(self);
  auto& state = self->state;
  state.limit = limit;
  state.clock = std::move(clock);
  state.directory.emplace(std::move(redaction), limit);
  state.directory->create_built_in(alerts_stream, stream_type::sse);
  state.sharing = std::move(sharing);
  if (state.sharing.backend)
    caf::anon_send(state.sharing.backend, join_atom_v, stream_registry_actor{self});
  self->set_down_handler([self](const caf::down_msg& down) { forget_session(self, down.source); });
  return {
      [self](health_atom) { return std::make_shared<const json>(health_of(self->state)); },
      [self](stream_atom, const stream_command& command, const asking_party& caller) {
        return answered(self, command, caller);
      },
      [self](stream_atom, const stream_request_ptr& request) {
        take_command(self, request->command, request->caller, request->reply);
      },
      [self](subscribe_atom, const subscribe_stream& wanted) {
        return subscribe_when_known(self, wanted);
      },
      [self](read_atom, const stream_read& wanted) { return read(self, wanted); },
      [self](unread_atom, client_id client, const std::string& subscription, std::uint64_t from,
             std::uint64_t to) { give_back(self, client, subscription, from, to); },
      [self](watch_atom, const stream_notice_sink& session, const std::string& stream,
             std::uint64_t seen) { watch(self, session, stream, seen); },
      [self](flush_atom, client_id client) {
        for (const auto key : self->state.listeners.of_client(client, {}))
          settle_read(self, key);
      },
      [self](forget_atom, client_id client) { forget_client(self, client); },
      [self](join_atom, const open_tap_ptr& wanted) { join_when_known(self, wanted); },
      [self](read_atom, const read_piece_ptr& wanted) {
        wanted->reply(read_piece_of(self, *wanted));
      },
      [self](leave_atom, const stream_tap_ptr& tap) {
        self->state.listeners.take(self->state.listeners.key_of(tap));
      },
      [self](list_atom, const asking_party& caller) { return names_of(self->state, caller); },
      [self](alert_atom, const alert_ptr& a) { take_alert(self, a); },
      [self](changed_atom, const backend_news_ptr& news) { take_backend_news(self, *news); },
      [self](tick_atom, std::uint64_t key) { settle_read(self, key); },
  };
}

} // namespace gasoline
