#include "actors/streams/shared_streams.hpp"

#include "actors/streams/listener_news.hpp"
#include "actors/streams/posted_events.hpp"
#include "actors/streams/stream_answers.hpp"
#include "actors/streams/stream_commands.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

using shared_self = stream_registry_pointer;
using condition = stream_waits::condition;

stream_refusal unreachable(const std::string& problem) {
  return {stream_outcome::unreachable, problem};
}

/// Runs a command once the backend can be reached, or refuses it.
void when_reachable(shared_self self, std::function<void()> run, const stream_reply& reply) {
  auto& state = self->state;
  auto& waits = state.waits;
  const auto refuse = [reply](const std::string& problem) {
    reply(answer_of(unreachable(problem)));
  };
  if (waits.now == condition::reachable)
    run();
  else if (waits.now == condition::lost && !state.sharing.waits_when_lost)
    refuse(waits.problem);
  else if (waits.held() >= state.limit.stream.held)
    reply(refused_stream(stream_outcome::full,
                         "Too many calls wait for the server of the streams already; repeat this "
                         "one when it is back, which health shows."));
  else
    waits.hold({std::move(run), refuse});
}

void ask_backend(shared_self self, backend_command command, const stream_reply& reply,
                 std::function<void(const backend_answer&)> then) {
  self->request(self->state.sharing.backend, caf::infinite, stream_atom_v, std::move(command))
      .then(
          [reply, then = std::move(then)](const backend_answer& answer) {
            if (answer.outcome == stream_outcome::done)
              then(answer);
            else
              reply(refused_stream(answer.outcome, answer.problem));
          },
          [reply](const caf::error&) { reply(answer_of(unreachable("The engine is ending."))); });
}

using places_handler = std::function<void(const stored_places&)>;

/// Has events stored; calls `then` when all of them can be read here.
void store(shared_self self, const std::string& stream, std::vector<stream_event_ptr> events,
           const places_handler& then) {
  auto& state = self->state;
  auto wanted = std::make_shared<store_events>();
  wanted->stream = stream;
  wanted->events = std::move(events);
  if (!state.sharing.waits_when_lost)
    wanted->patience = std::chrono::milliseconds{state.limit.nats.answer_ms};
  const auto count = wanted->events.size();
  self->request(state.sharing.backend, caf::infinite, write_atom_v,
                store_events_ptr{std::move(wanted)})
      .then(
          [self, stream, then](const stored_places& places) {
            std::uint64_t newest = 0;
            for (const auto& place : places)
              newest = std::max(newest, place.id);
            if (newest <= newest_of(self, stream) || !self->state.directory->find(stream))
              then(places);
            else
              self->state.waits.until(stream, newest, [then, places] { then(places); });
          },
          [then, count](const caf::error&) {
            then(stored_places(count, {0, stream_outcome::unreachable, "The engine is ending."}));
          });
}

std::optional<stream_refusal> refusal_of(const stored_place& place) {
  if (place.id > 0)
    return std::nullopt;
  return stream_refusal{place.outcome, place.problem};
}

/// One command whose backend can be reached.
class shared_command_runner {
 public:
  shared_command_runner(shared_self self, stream_reply reply)
      : self_(self), reply_(std::move(reply)) {}

  void operator()(const create_stream& command) const {
    auto wanted = directory().creatable(command);
    if (!wanted) {
      reply_(answer_of(wanted.error()));
      return;
    }
    ask_backend(
        self_, std::move(*wanted), reply_,
        [self = self_, reply = reply_, command](const backend_answer&) {
          auto& streams = *self->state.directory;
          streams.give_to_maker(command);
          const auto* made = streams.find(command.name);
          reply(made ? stream_answer{stream_outcome::created, created_text(*made, command.key)}
                     : answer_of(no_such_stream(command.name)));
        });
  }

  void operator()(const publish_event& command) const {
    const auto made = directory().prepare(command, now());
    if (!made) {
      reply_(answer_of(made.error()));
      return;
    }
    store(self_, command.stream, {*made},
          [reply = reply_, e = stream_event_ptr{*made}](const stored_places& places) {
            const auto refusal = refusal_of(places.front());
            reply(refusal ? answer_of(*refusal)
                          : stream_answer{stream_outcome::done, published_text(*e)});
          });
  }

  void operator()(const post_events& command) const {
    if (!directory().find(command.stream)) {
      reply_(answer_of(no_such_stream(command.stream)));
      return;
    }
    const auto posted = read_posted_events(command, self_->state.limit);
    if (!posted)
      reply_(answer_of(posted.error()));
    else if (posted->is_list)
      publish_entries(command.stream, posted->entries);
    else if (const auto& only = posted->entries.front())
      (*this)(*only);
    else
      reply_(answer_of(only.error()));
  }

  void operator()(const purge_stream& command) const {
    const auto found = directory().find_for_change(command.name, "purged");
    if (!found) {
      reply_(answer_of(found.error()));
      return;
    }
    // The backend may keep more than fits into the buffer, which nobody could read here.
    ask_backend(self_, command, reply_,
                [reply = reply_, name = command.name,
                 most = (*found)->ring.capacity()](const backend_answer& answer) {
                  reply({stream_outcome::done, purged_text(name, std::min(answer.number, most))});
                });
  }

  void operator()(const delete_stream& command) const {
    const auto found = directory().find_for_change(command.name, "deleted");
    if (!found) {
      reply_(answer_of(found.error()));
      return;
    }
    ask_backend(self_, command, reply_,
                [reply = reply_, name = command.name,
                 ended = (*found)->subscriptions.size()](const backend_answer&) {
                  reply({stream_outcome::done, deleted_text(name, ended)});
                });
  }

  // What changes nothing does not come here, and what makes a stream as `create_stream`.
  void operator()(const post_stream&) const {}
  void operator()(const show_streams&) const {}
  void operator()(const show_stream_events&) const {}
  void operator()(const end_subscription&) const {}

 private:
  stream_directory& directory() const { return *self_->state.directory; }
  wall_time now() const { return self_->state.clock(self_->clock().now()); }

  void publish_entries(const std::string& stream, const std::vector<posted_event>& entries) const {
    std::vector<std::optional<stream_refusal>> refusals(entries.size());
    std::vector<stream_event_ptr> events;
    std::vector<std::size_t> indices; // of the events among the entries
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto made =
          entries[i] ? directory().prepare(*entries[i], now()) : tl::unexpected(entries[i].error());
      if (!made) {
        refusals[i] = made.error();
        continue;
      }
      events.push_back(*made);
      indices.push_back(i);
    }
    const auto answer = [reply = reply_, at = now(), limit = self_->state.limit](
                            const std::vector<std::optional<stream_refusal>>& all) {
      reply(published_list_answer(all, at, limit));
    };
    if (events.empty()) {
      answer(refusals);
      return;
    }
    store(self_, stream, std::move(events),
          [answer, refusals = std::move(refusals),
           indices = std::move(indices)](const stored_places& places) mutable {
            for (std::size_t i = 0; i < places.size(); ++i)
              refusals[indices[i]] = refusal_of(places[i]);
            answer(refusals);
          });
  }

  shared_self self_;
  stream_reply reply_;
};

// --- news ---------------------------------------------------------------------------------------

bool is_mirrored(shared_self self, const std::string& stream) {
  if (stream == alerts_stream)
    return self->state.sharing.alerts;
  const auto& state = self->state;
  return !stream_name_problem(stream) &&
         (state.directory->find(stream) || state.directory->size() < state.limit.stream.count);
}

void mirror_stream(shared_self self, const shared_stream& stream) {
  auto& state = self->state;
  if (!is_mirrored(self, stream.name))
    return;
  state.directory->adopt(stream);
  const auto newest = newest_of(self, stream.name);
  if (newest < stream.newest)
    state.waits.expect(stream.name, stream.newest);
  state.waits.reached(stream.name, newest);
  tell_of_change(self, stream.name);
}

void drop_stream(shared_self self, const std::string& name) {
  auto& state = self->state;
  const auto* known = state.directory->find(name);
  if (!known)
    return;
  if (known->is_built_in())
    state.directory->renew_built_in(name);
  else
    static_cast<void>(state.directory->remove(name));
  drop_listeners(self, name);
  tell_of_change(self, name);
  state.waits.gone(name);
}

/// The first engine that shares alerts makes the stream of them.
void make_alerts_stream(shared_self self) {
  self->request(self->state.sharing.backend, caf::infinite, stream_atom_v,
                backend_command{shared_stream{std::string{alerts_stream}, stream_type::sse}})
      .then([](const backend_answer&) {}, [](const caf::error&) {});
}

class news_taker {
 public:
  explicit news_taker(shared_self self) : self_(self) {}

  void operator()(const shared_streams& all) const {
    auto& state = self_->state;
    const auto is_there = [&](const std::string& name) {
      return std::any_of(all.streams.begin(), all.streams.end(),
                         [&](const auto& s) { return s.name == name; });
    };
    for (const auto& stream : all.streams)
      mirror_stream(self_, stream);
    state.waits.now = condition::reachable;
    state.waits.lists_known = true;
    state.waits.problem.clear();
    if (state.sharing.alerts && !is_there(std::string{alerts_stream}))
      make_alerts_stream(self_);
    state.waits.run_held();
  }

  void operator()(const shared_stream& stream) const { mirror_stream(self_, stream); }

  void operator()(const stored_events& news) const {
    auto& state = self_->state;
    for (const auto& stored : news.events)
      if (const auto e = state.directory->append_stored(news.stream, stored))
        spread(self_, news.stream, e);
    state.waits.reached(news.stream, newest_of(self_, news.stream));
  }

  void operator()(const lost_stream& news) const {
    drop_stream(self_, news.name);
    if (news.name == alerts_stream && self_->state.sharing.alerts)
      make_alerts_stream(self_);
  }

  void operator()(const backend_loss& news) const {
    auto& state = self_->state;
    state.waits.now = condition::lost;
    state.waits.problem = news.problem;
    if (!state.sharing.waits_when_lost)
      state.waits.refuse_held();
  }

 private:
  shared_self self_;
};

} // namespace

bool changes_streams(const stream_command& command) {
  return !std::holds_alternative<show_streams>(command) &&
         !std::holds_alternative<show_stream_events>(command) &&
         !std::holds_alternative<end_subscription>(command);
}

void run_shared_command(shared_self self, const stream_command& command,
                        const stream_reply& reply) {
  when_reachable(
      self,
      [self, command, reply] {
        std::visit(shared_command_runner{self, reply}, command);
      },
      reply);
}

void when_known(shared_self self, const std::string& stream, std::function<void()> then,
                const std::function<void(const std::string&)>& refuse) {
  auto& waits = self->state.waits;
  if (!self->state.sharing.backend) {
    then();
  } else if (waits.lists_known) {
    if (const auto id = waits.expected(stream))
      waits.until(stream, id, std::move(then));
    else
      then();
  } else if (waits.now == condition::lost) {
    refuse(waits.problem);
  } else {
    const auto again = [self, stream, then = std::move(then), refuse] {
      when_known(self, stream, then, refuse);
    };
    waits.hold({again, refuse});
  }
}

void when_settled(shared_self self, const std::string& stream, std::uint64_t id,
                  const std::function<void()>& then) {
  auto& state = self->state;
  if (!state.sharing.backend || id <= newest_of(self, stream) || !state.directory->find(stream)) {
    then();
    return;
  }
  const auto again = [self, stream, id, then] { when_settled(self, stream, id, then); };
  if (state.waits.now != condition::reachable) {
    state.waits.hold({again, nullptr});
    return;
  }
  self->request(state.sharing.backend, caf::infinite, stream_atom_v,
                backend_command{newest_of_stream{stream}})
      .then(
          [self, stream, id, then, again](const backend_answer& answer) {
            auto& waits = self->state.waits;
            if (answer.outcome == stream_outcome::unreachable)
              waits.hold({again, nullptr});
            else if (answer.number < id || id <= newest_of(self, stream))
              then();
            else
              waits.until(stream, id, then);
          },
          [then](const caf::error&) { then(); });
}

void share_alert(shared_self self, const built_in_event& e, wall_time now) {
  auto& state = self->state;
  auto wanted = std::make_shared<store_events>();
  wanted->stream = e.stream;
  wanted->events.push_back(state.directory->prepare_built_in(e, now));
  const auto note = [self](const stored_places& places) {
    if (places.front().id == 0)
      ++self->state.waits.dropped_alerts;
  };
  self->request(state.sharing.backend, caf::infinite, write_atom_v,
                store_events_ptr{std::move(wanted)})
      .then(note, [](const caf::error&) {});
}

void take_backend_news(shared_self self, const backend_news& news) {
  std::visit(news_taker{self}, news);
}

} // namespace gasoline
