#include "transport/nats/nats_consumers.hpp"

#include "messages/base/own_log.hpp"
#include "transport/nats/jetstream_codec.hpp"
#include "transport/nats/nats_calls.hpp"
#include "transport/nats/nats_news.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

/// The name of a consumer of this connection: what makes its inbox unique, and a number.
std::string consumer_name(nats_link self, std::uint64_t number) {
  const auto& inbox = self->state.connection->inbox();
  return inbox.substr(inbox.rfind('.') + 1) + '-' + std::to_string(number);
}

/// That consumer was not made. The next audit, or news of the stream, starts another.
void drop_consumer(nats_link self, const std::string& name, std::uint64_t number) {
  auto& state = self->state;
  const auto found = state.streams.find(name);
  if (!state.connection || found == state.streams.end() || found->second.consumer != number)
    return;
  state.consumers.erase(consumer_name(self, number));
  found->second.consumer = 0;
}

} // namespace

bool is_wanted(const nats_streams_state& state, const std::string& stream) {
  return stream != alerts_stream || state.config.alerts_shared;
}

void start_consumer(nats_link self, const std::string& name) {
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
             own_log::warn("nats: stream {} is not delivered: {}", name,
                           made ? problem->description : made.error().message);
             look_at(self, name, [self, name, number](const api_result&) {
               drop_consumer(self, name, number);
             });
           });
}

void forget(nats_link self, const std::string& name) {
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

void remember(nats_link self, jetstream_stream& found) {
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

void adopt(nats_link self, jetstream_stream found) {
  auto& state = self->state;
  const auto& name = found.stream.name;
  if (!is_wanted(state, name))
    return;
  remember(self, found);
  tell_registry(self, found.stream);
  if (state.streams.at(name).consumer == 0)
    start_consumer(self, name);
}

void look_at(nats_link self, const std::string& name, std::function<void(api_result)> done) {
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

void take_delivery(nats_link self, nats_message&& message, stored_events& batch) {
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

} // namespace gasoline
