#include "transport/nats/unacknowledged_events.hpp"

#include "transport/nats/jetstream_codec.hpp"

#include <utility>

namespace gasoline {
namespace {

constexpr std::uint64_t entry_cost = 512;

std::uint64_t event_cost(const stream_event& e) {
  return entry_cost + e.data.size() + e.metadata.size() + e.topic.size() + e.type.size();
}

} // namespace

std::uint64_t unacknowledged_events::cost_of(const store_events& wanted) {
  std::uint64_t out = 0;
  for (const auto& e : wanted.events)
    out += event_cost(*e);
  return out;
}

std::uint64_t unacknowledged_events::add(const store_events& wanted, clock::time_point now,
                                         done_handler done) {
  const auto owner = std::make_shared<group>();
  owner->places.resize(wanted.events.size());
  owner->open = wanted.events.size();
  owner->done = std::move(done);
  const auto first = last_ + 1;
  for (std::size_t i = 0; i < wanted.events.size(); ++i) {
    const auto& e = *wanted.events[i];
    entry made;
    made.event = wanted.events[i];
    made.stream = wanted.stream;
    made.owner = owner;
    made.index = i;
    made.cost = event_cost(e);
    if (wanted.patience)
      made.due = now + *wanted.patience;
    bytes_ += made.cost;
    entries_.emplace_hint(entries_.end(), ++last_, std::move(made));
  }
  return first;
}

nats_message unacknowledged_events::message_of_entry(const entry& wanted) {
  return message_of(wanted.stream, *wanted.event);
}

unacknowledged_events::entries::iterator unacknowledged_events::settle_at(entries::iterator at,
                                                                          stored_place place) {
  const auto owner = std::move(at->second.owner);
  owner->places[at->second.index] = std::move(place);
  bytes_ -= at->second.cost;
  const auto next = entries_.erase(at);
  if (--owner->open == 0)
    owner->done(std::move(owner->places));
  return next;
}

void unacknowledged_events::stall(std::uint64_t number) {
  if (const auto found = entries_.find(number); found != entries_.end())
    stalled_.insert(found->second.stream);
}

std::optional<std::string> unacknowledged_events::settle(std::uint64_t number, stored_place place) {
  const auto found = entries_.find(number);
  if (found == entries_.end())
    return std::nullopt;
  const auto stalled = stalled_.extract(found->second.stream);
  settle_at(found, std::move(place));
  if (stalled.empty())
    return std::nullopt;
  return stalled.value();
}

void unacknowledged_events::expire(clock::time_point now, const std::string& problem) {
  for (auto it = entries_.begin(); it != entries_.end();)
    if (it->second.due && *it->second.due <= now)
      it = settle_at(it, {0, stream_outcome::unreachable, problem});
    else
      ++it;
}

void unacknowledged_events::drop_stream(const std::string& stream, const stored_place& place) {
  stalled_.erase(stream);
  for (auto it = entries_.begin(); it != entries_.end();)
    it = it->second.stream == stream ? settle_at(it, place) : std::next(it);
}

} // namespace gasoline
