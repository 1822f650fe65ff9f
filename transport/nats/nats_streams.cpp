#include "transport/nats/nats_streams.hpp"

#include "transport/nats/jetstream_codec.hpp"
#include "transport/nats/nats_connection.hpp"
#include "transport/nats/unacknowledged_events.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>
#include <utility>

namespace gasoline {

using nats_batch_ptr = std::shared_ptr<std::vector<nats_message>>;

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::nats_batch_ptr)

namespace gasoline {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using api_result = result_or<json>;
using api_handler = std::function<void(api_result)>;

constexpr std::string_view api_root = "$JS.API.";
constexpr std::string_view lifecycle_subjects = "$JS.EVENT.ADVISORY.STREAM.*.*";
constexpr std::string_view delivery_replies = "$JS.ACK.";
constexpr std::string_view no_responders = "503";
constexpr std::string_view from_server = "100"; // a heartbeat or flow control
constexpr int not_found_code = 404;
constexpr int unavailable_code = 503;

/// The first attempt after a loss; each further one waits twice as long, up to `nats_retry_ms`.
constexpr milliseconds first_retry{50};

using nats_streams_actor = stream_backend_actor::extend<
    // INTERNAL: messages of the connection with that number.
    caf::reacts_to<receive_atom, std::uint64_t, nats_batch_ptr>,
    // INTERNAL: the connection with that number is lost.
    caf::reacts_to<closed_atom, std::uint64_t>,
    // INTERNAL: the server of that connection does not permit something.
    caf::reacts_to<status_atom, std::uint64_t, std::string>,
    // INTERNAL: it is time to connect again.
    caf::reacts_to<attach_atom>,
    // INTERNAL: looks for what is overdue.
    caf::reacts_to<tick_atom>,
    // INTERNAL: compares what was told with what the server has.
    caf::reacts_to<watch_atom>>;

/// What arrives at the inbox of a connection: answers and acknowledgements at the kind, a dot and a
/// number; deliveries at the kind alone, since a server delivers only to subjects that are
/// subscribed to without a wildcard.
enum class inbox_kind : char { answer = 'a', acknowledgement = 'p', delivery = 'd' };

struct nats_streams_state {
  static inline const char* name = "nats_streams";
  using clock = unacknowledged_events::clock;

  /// A stream that the registry knows.
  struct known_stream {
    std::string created;
    std::uint64_t last = 0;     ///< id of the last event that was told
    std::uint64_t consumer = 0; ///< number of the consumer that delivers; 0: none
    std::uint64_t delivered = 0;
    std::uint64_t audited = 0; ///< id of the last event that was told when the server was asked
  };

  struct open_call {
    api_handler done;
    clock::time_point due{};
  };

  nats_library library; // ends after the connection
  settings config;
  stream_registry_actor registry;

  std::unique_ptr<nats_connection> connection;
  std::uint64_t connection_number = 0;
  bool synced = false; ///< the registry knows what the server has
  std::string refusal; ///< what the server last said that it does not permit; empty: nothing
  std::string problem{"The NATS server has not been reached yet."};
  milliseconds retry = first_retry;

  std::map<std::string, known_stream> streams;
  std::unordered_map<std::string, std::string> consumers; ///< name -> stream
  std::uint64_t last_consumer = 0;

  std::map<std::uint64_t, open_call> calls;
  std::uint64_t last_call = 0;
  unacknowledged_events unacknowledged;
  bool tick_due = false;

  std::uint64_t untaken = 0;             ///< news that the registry has not handled yet
  std::vector<std::string> flow_replies; ///< due once it has
};

using link_self = nats_streams_actor::stateful_pointer<nats_streams_state>;

nats_streams_state::clock::time_point now_of() {
  return nats_streams_state::clock::now();
}

void look_at(link_self self, const std::string& stream, std::function<void(api_result)> done);

// --- the server is told ---

void plan_tick(link_self self) {
  auto& state = self->state;
  if (state.tick_due || (state.calls.empty() && state.unacknowledged.empty()))
    return;
  state.tick_due = true;
  self->delayed_send(self, milliseconds{state.config.limit.nats.retry_ms} / 2, tick_atom_v);
}

bool send(link_self self, const nats_message& message) {
  auto& state = self->state;
  return state.connection && !state.connection->publish(message);
}

std::string inbox_of(link_self self, inbox_kind kind) {
  return self->state.connection->inbox() + '.' + static_cast<char>(kind);
}

std::string inbox_of(link_self self, inbox_kind kind, std::uint64_t number) {
  return inbox_of(self, kind) + '.' + std::to_string(number);
}

/// A request to the JetStream API. `done` is called once, also when the connection is lost.
void call_api(link_self self, std::string_view what, std::string body, api_handler done) {
  auto& state = self->state;
  if (!state.connection) {
    done(tl::unexpected(user_error{state.problem}));
    return;
  }
  const auto number = ++state.last_call;
  nats_message request;
  request.subject = std::string{api_root}.append(what);
  request.reply = inbox_of(self, inbox_kind::answer, number);
  request.data = std::move(body);
  state.calls.emplace(
      number, nats_streams_state::open_call{
                  std::move(done), now_of() + milliseconds{state.config.limit.nats.answer_ms}});
  send(self, request);
  plan_tick(self);
}

/// Has the other engines look at a stream that was made, emptied or removed.
void tell_engines(link_self self, const std::string& stream) {
  nats_message changed;
  changed.subject = changed_subject(stream);
  send(self, changed);
}

void send_event(link_self self, std::uint64_t number, nats_message& message) {
  message.reply = inbox_of(self, inbox_kind::acknowledgement, number);
  if (!self->state.connection)
    return;
  if (const auto problem = self->state.connection->publish(message))
    spdlog::debug("nats: an event was not sent: {}", problem->message);
}

// --- the registry is told ---

void answer_flow_control(link_self self) {
  if (self->state.untaken > 0)
    return;
  for (auto& reply : std::exchange(self->state.flow_replies, {})) {
    nats_message go_on;
    go_on.subject = std::move(reply);
    send(self, go_on);
  }
}

void tell_registry(link_self self, backend_news news) {
  ++self->state.untaken;
  const auto taken = [self] {
    --self->state.untaken;
    answer_flow_control(self);
  };
  self->request(self->state.registry, caf::infinite, changed_atom_v,
                backend_news_ptr{std::make_shared<const backend_news>(std::move(news))})
      .then(taken, [taken](const caf::error&) { taken(); });
}

// --- streams and their consumers ---

bool is_wanted(const nats_streams_state& state, const std::string& stream) {
  return stream != alerts_stream || state.config.alerts_shared;
}

/// The name of a consumer of this connection: what makes its inbox unique, and a number.
std::string consumer_name(link_self self, std::uint64_t number) {
  const auto& inbox = self->state.connection->inbox();
  return inbox.substr(inbox.rfind('.') + 1) + '-' + std::to_string(number);
}

/// That consumer was not made. The next audit, or news of the stream, starts another.
void drop_consumer(link_self self, const std::string& name, std::uint64_t number) {
  auto& state = self->state;
  const auto found = state.streams.find(name);
  if (!state.connection || found == state.streams.end() || found->second.consumer != number)
    return;
  state.consumers.erase(consumer_name(self, number));
  found->second.consumer = 0;
}

/// Has the server deliver the stream's events behind the last one that was told.
void start_consumer(link_self self, const std::string& name) {
  auto& state = self->state;
  auto& stream = state.streams.at(name);
  state.consumers.erase(consumer_name(self, stream.consumer));
  stream.consumer = ++state.last_consumer;
  stream.delivered = 0;
  const auto consumer = consumer_name(self, stream.consumer);
  state.consumers.emplace(consumer, name);
  call_api(self, "CONSUMER.CREATE." + jetstream_name(name) + '.' + consumer,
           consumer_request({name, consumer, inbox_of(self, inbox_kind::delivery), stream.last + 1},
                            state.config.limit),
           [self, name, number = stream.consumer](const api_result& made) {
             const auto problem = made ? error_of(*made) : std::nullopt;
             if (!self->state.synced || (made && !problem))
               return;
             spdlog::warn("nats: stream {} is not delivered: {}", name,
                          made ? problem->description : made.error().message);
             look_at(self, name, [self, name, number](const api_result&) {
               drop_consumer(self, name, number);
             });
           });
}

void forget(link_self self, const std::string& name) {
  auto& state = self->state;
  const auto found = state.streams.find(name);
  if (found == state.streams.end())
    return;
  if (state.connection)
    state.consumers.erase(consumer_name(self, found->second.consumer));
  state.streams.erase(found);
  state.unacknowledged.drop_stream(
      name, {0, stream_outcome::not_found, "Stream '" + name + "' was deleted meanwhile."});
  tell_registry(self, lost_stream{name});
}

/// Remembers a stream as the server describes it. An earlier one of that name is forgotten. A
/// stream that is new here begins with what fits into its buffer, one that is known goes on where
/// it was.
void remember(link_self self, jetstream_stream& found) {
  auto& state = self->state;
  const auto& name = found.stream.name;
  if (const auto known = state.streams.find(name);
      known != state.streams.end() && known->second.created != found.created)
    forget(self, name);
  const auto [known, is_new] = state.streams.try_emplace(name);
  auto& stream = known->second;
  stream.created = found.created;
  if (const auto& row = found.stream; is_new && row.newest > row.buffer_size)
    found.stream.oldest = std::max(row.oldest, row.newest - row.buffer_size + 1);
  // What was deleted is not waited for.
  stream.last = std::max(stream.last, found.stream.oldest - 1);
}

void adopt(link_self self, jetstream_stream found) {
  auto& state = self->state;
  const auto& name = found.stream.name;
  if (!is_wanted(state, name))
    return;
  remember(self, found);
  tell_registry(self, found.stream);
  if (state.streams.at(name).consumer == 0)
    start_consumer(self, name);
}

/// Finds out what a stream is now, and tells the registry; then calls `done` with the answer.
void look_at(link_self self, const std::string& name, std::function<void(api_result)> done) {
  call_api(self, "STREAM.INFO." + jetstream_name(name), {},
           [self, name, done = std::move(done)](api_result info) {
             if (!self->state.synced) {
               done(std::move(info));
               return;
             }
             if (info) {
               if (const auto problem = error_of(*info)) {
                 if (problem->code == not_found_code)
                   forget(self, name);
               } else if (const auto found = jetstream_stream_of(*info)) {
                 adopt(self, *found);
               }
             }
             done(std::move(info));
           });
}

void take_delivery(link_self self, nats_message&& message, stored_events& batch) {
  auto& state = self->state;
  if (message.status == from_server) {
    const auto& stalled = message.header(nats_header::stalled);
    if (const auto& reply = message.reply.empty() ? stalled : message.reply; !reply.empty())
      state.flow_replies.push_back(reply);
    return;
  }
  const auto place = delivery_place_of(message.reply);
  if (!place)
    return;
  const auto consumer = state.consumers.find(std::string{place->consumer});
  if (consumer == state.consumers.end())
    return;
  const auto name = consumer->second;
  auto& stream = state.streams.at(name);
  if (place->delivery != stream.delivered + 1) {
    start_consumer(self, name);
    return;
  }
  ++stream.delivered;
  if (place->id <= stream.last)
    return;
  stream.last = place->id;
  if (batch.stream != name && !batch.events.empty())
    tell_registry(self, std::exchange(batch, {}));
  batch.stream = name;
  batch.events.push_back(event_of(name, std::move(message), *place));
}

// --- answers ---

void take_answer(link_self self, std::uint64_t number, const nats_message& message) {
  auto node = self->state.calls.extract(number);
  if (node.empty())
    return;
  if (message.status == no_responders) {
    node.mapped().done(tl::unexpected(
        user_error{"The NATS server at " + shown_servers(self->state.config.nats) +
                   " does not answer JetStream requests; start it with JetStream (-js), or give "
                   "this account access to it."}));
    return;
  }
  auto answer = json::parse(message.data, nullptr, false);
  node.mapped().done(answer.is_discarded()
                         ? api_result{tl::unexpected(user_error{"The NATS server sent an answer "
                                                                "that is no JSON."})}
                         : api_result{std::move(answer)});
}

void settle_event(link_self self, std::uint64_t number, stored_place place) {
  auto& unacknowledged = self->state.unacknowledged;
  if (const auto stream = unacknowledged.settle(number, std::move(place)))
    unacknowledged.send_stream(*stream, now_of(), [self](std::uint64_t n, nats_message& message) {
      send_event(self, n, message);
    });
}

void take_acknowledgement(link_self self, std::uint64_t number, const nats_message& message) {
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
void take_change(link_self self, const nats_message& message) {
  if (!self->state.synced)
    return; // the list that is being read shows it
  const auto last = std::string_view{message.subject}.substr(message.subject.rfind('.') + 1);
  const auto name = message.subject.starts_with("$JS") ? stream_of_jetstream(last)
                                                       : std::optional<std::string>{last};
  if (name && is_wanted(self->state, *name))
    look_at(self, *name, [](const api_result&) {});
}

void take_message(link_self self, nats_message&& message, stored_events& batch) {
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

void lose(link_self self, std::string problem) {
  auto& state = self->state;
  state.connection.reset();
  state.synced = false;
  state.consumers.clear();
  state.flow_replies.clear();
  for (auto& [name, stream] : state.streams)
    stream.consumer = 0;
  if (state.problem != problem) {
    spdlog::warn("nats: {}", problem);
    state.problem = std::move(problem);
  }
  tell_registry(self, backend_loss{state.problem});
  for (auto& [number, call] : std::exchange(state.calls, {}))
    call.done(tl::unexpected(user_error{state.problem}));
  self->delayed_send(self, state.retry, attach_atom_v);
  state.retry = std::min(state.retry * 2, milliseconds{state.config.limit.nats.retry_ms});
}

/// The streams that are known but not in that list.
std::vector<std::string> unlisted(const nats_streams_state& state,
                                  const std::vector<jetstream_stream>& found) {
  std::set<std::string_view> listed;
  for (const auto& row : found)
    listed.insert(row.stream.name);
  std::vector<std::string> out;
  for (const auto& [name, stream] : state.streams)
    if (listed.count(name) == 0)
      out.push_back(name);
  return out;
}

/// The registry knows every stream now. A cluster leaves out those that have no leader at the
/// moment, so one is gone only when the server says so of that one.
void finish_list(link_self self, const std::vector<jetstream_stream>& found) {
  auto& state = self->state;
  shared_streams all;
  for (auto row : found)
    if (is_wanted(state, row.stream.name)) {
      // A server that lost its disk gives the same ids to other events.
      if (const auto known = state.streams.find(row.stream.name);
          known != state.streams.end() && row.stream.newest < known->second.last)
        forget(self, row.stream.name);
      remember(self, row);
      all.streams.push_back(row.stream);
    }
  spdlog::info("nats: {} streams at {}", all.streams.size(), shown_servers(state.config.nats));
  state.synced = true;
  state.problem.clear();
  state.retry = first_retry;
  tell_registry(self, std::move(all));
  for (const auto& [name, stream] : state.streams)
    start_consumer(self, name);
  for (const auto& name : unlisted(state, found))
    look_at(self, name, [](const api_result&) {});
  state.unacknowledged.resume();
  state.unacknowledged.send_from(0, now_of(), [self](std::uint64_t number, nats_message& message) {
    send_event(self, number, message);
  });
}

using stream_list = result_or<std::vector<jetstream_stream>>;
using list_handler = std::function<void(const stream_list&)>;

/// Reads the list of all streams, a page at a time.
void read_list(link_self self, std::vector<jetstream_stream> found, std::uint64_t offset,
               list_handler done) {
  call_api(self, "STREAM.LIST", json{{"offset", offset}, {"subject", all_stream_subjects}}.dump(),
           [self, found = std::move(found), offset,
            done = std::move(done)](const api_result& page) mutable {
             if (!self->state.connection)
               return;
             const auto problem = page ? error_of(*page) : std::nullopt;
             if (!page || problem) {
               done(tl::unexpected(
                   page
                       ? user_error{"The NATS server at " + shown_servers(self->state.config.nats) +
                                    " does not list its streams: " + problem->description + "."}
                       : page.error()));
               return;
             }
             const auto rows = page->value("streams", json::array());
             for (const auto& row : rows)
               if (auto stream = jetstream_stream_of(row))
                 found.push_back(std::move(*stream));
             const auto seen = offset + rows.size();
             if (rows.empty() || seen >= page->value("total", std::uint64_t{0}))
               done(found);
             else
               read_list(self, std::move(found), seen, std::move(done));
           });
}

void connect(link_self self) {
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
  read_list(self, {}, 0, [self](const stream_list& found) {
    if (found)
      finish_list(self, *found);
    else
      lose(self, found.error().message);
  });
}

// --- commands ---

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
  backend_command_runner(link_self self, answer_promise promise)
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
  link_self self_;
  answer_promise promise_;
};

caf::result<backend_answer> carry_out_there(link_self self, const backend_command& command) {
  if (!self->state.synced)
    return backend_answer{stream_outcome::unreachable, self->state.problem, 0};
  auto promise = self->make_response_promise<backend_answer>();
  std::visit(backend_command_runner{self, promise}, command);
  return promise;
}

caf::result<stored_places> store(link_self self, const store_events& wanted) {
  auto& state = self->state;
  const auto cost = unacknowledged_events::cost_of(wanted);
  if (state.unacknowledged.bytes() + cost > state.config.limit.nats.unacknowledged_bytes)
    return stored_places(wanted.events.size(),
                         {0, stream_outcome::full,
                          "Too many events wait for the NATS server already; publish again when it "
                          "has taken them, or raise limits.nats_unacknowledged_bytes."});
  auto promise = self->make_response_promise<stored_places>();
  const auto first =
      state.unacknowledged.add(wanted, now_of(), [promise](stored_places places) mutable {
        promise.deliver(std::move(places));
      });
  if (state.synced)
    state.unacknowledged.send_from(
        first, now_of(),
        [self](std::uint64_t number, nats_message& message) { send_event(self, number, message); });
  plan_tick(self);
  return promise;
}

// --- what is overdue ---

/// The server does not answer what it does not permit, so this is why something becomes overdue.
void note_refusal(link_self self, std::string what) {
  auto& refusal = self->state.refusal;
  if (refusal == what)
    return;
  refusal = std::move(what);
  spdlog::warn("nats: {} says: {}", shown_servers(self->state.config.nats), refusal);
}

std::string refusal_text(const nats_streams_state& state) {
  if (state.refusal.empty())
    return {};
  return " It says: " + state.refusal + "; the login needs permission for that.";
}

void look_for_overdue(link_self self) {
  auto& state = self->state;
  state.tick_due = false;
  const auto now = now_of();
  std::vector<api_handler> overdue;
  for (auto it = state.calls.begin(); it != state.calls.end();)
    if (it->second.due <= now) {
      overdue.push_back(std::move(it->second.done));
      it = state.calls.erase(it);
    } else {
      ++it;
    }
  for (const auto& done : overdue)
    done(tl::unexpected(user_error{"The NATS server at " + shown_servers(state.config.nats) +
                                   " does not answer." + refusal_text(state)}));
  state.unacknowledged.expire(
      now, "The NATS server at " + shown_servers(state.config.nats) +
               " has not confirmed the event in time; it may have been stored all the same. Look "
               "before you publish it again." +
               refusal_text(state));
  if (state.synced)
    state.unacknowledged.send_again(
        now, milliseconds{state.config.limit.nats.retry_ms},
        [self](std::uint64_t number, nats_message& message) { send_event(self, number, message); });
  plan_tick(self);
}

/// Streams that somebody has made, emptied or removed without being heard, and events that were not
/// delivered although they have been there for a while.
void compare(link_self self, const std::vector<jetstream_stream>& found) {
  auto& state = self->state;
  for (const auto& name : unlisted(state, found))
    look_at(self, name, [](const api_result&) {});
  for (const auto& row : found) {
    if (!is_wanted(state, row.stream.name))
      continue;
    const auto known = state.streams.find(row.stream.name);
    if (known == state.streams.end() || known->second.created != row.created) {
      adopt(self, row);
      continue;
    }
    auto& stream = known->second;
    const bool stands = std::exchange(stream.audited, stream.last) == stream.last;
    if (stream.consumer == 0 || (stands && stream.last < row.stream.newest))
      start_consumer(self, row.stream.name);
  }
}

void audit(link_self self) {
  self->delayed_send(self, milliseconds{self->state.config.limit.nats.audit_ms}, watch_atom_v);
  // That a cluster cannot list them, because it is choosing a leader, is no reason to leave it.
  if (self->state.synced)
    read_list(self, {}, 0, [self](const stream_list& found) {
      if (found && self->state.synced)
        compare(self, *found);
    });
}

nats_streams_actor::behavior_type nats_streams(link_self self, settings config) {
  self->state.config = std::move(config);
  self->set_exception_handler([](std::exception_ptr& e) -> caf::error {
    try {
      std::rethrow_exception(e);
    } catch (const std::exception& x) {
      spdlog::critical("nats_streams failed: {}", x.what());
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
