#include "actors/streams/stream_directory.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

/// Events looked at for one piece of a replay, so that a filter that few pass does not hold up
/// everybody else.
constexpr std::uint64_t looked_at_for_piece = 2'000;

std::optional<std::uint64_t> oldest_of(const named_stream& stream) {
  if (stream.ring.size() == 0)
    return std::nullopt;
  return stream.ring.oldest_order();
}

stream_refusal no_such_subscription(const std::string& id) {
  return {stream_outcome::not_found,
          "There is no subscription " + quoted_text(id) +
              " of this client; it may have ended with its stream or with an earlier session. "
              "stream_subscribe makes a new one."};
}

} // namespace

stream_refusal no_such_stream(std::string_view name) {
  return {stream_outcome::not_found, "Stream " + quoted_text(name) +
                                         " does not exist; stream_status lists the streams, "
                                         "stream_create makes one."};
}

stream_directory::stream_directory(std::shared_ptr<const redaction_engine> redaction,
                                   const limits_of<stream_room>& limit)
    : redaction_(std::move(redaction)), limit_(limit) {}

stream_refusal stream_directory::counted(stream_refusal refusal) {
  if (refusal.outcome == stream_outcome::too_large || refusal.outcome == stream_outcome::full)
    ++refused_;
  return refusal;
}

stream_result<shared_stream> stream_directory::creatable(const create_stream& wanted) {
  if (auto problem = stream_name_problem(wanted.name))
    return tl::unexpected(std::move(*problem));
  const auto type = wanted.type.empty() ? std::optional{stream_type::in_memory}
                                        : parse_name<stream_type>(wanted.type);
  if (!type)
    return tl::unexpected(
        stream_refusal{stream_outcome::invalid,
                       "stream_type " + quoted_text(wanted.type) +
                           " is not valid; use one of: " + all_names<stream_type>() + "."});
  if (wanted.buffer_size < 1 || wanted.buffer_size > limit_.stream.events)
    return tl::unexpected(
        stream_refusal{stream_outcome::invalid, "buffer_size must be a whole number from 1 to " +
                                                    std::to_string(limit_.stream.events) + "."});
  if (streams_.count(wanted.name) > 0)
    return tl::unexpected(stream_refusal{
        stream_outcome::exists, "Stream " + quoted_text(wanted.name) +
                                    " exists already; use it, choose another name, or delete it "
                                    "first with configure {action:\"stream\", "
                                    "stream_action:\"delete\"}."});
  if (size() >= limit_.stream.count)
    return tl::unexpected(counted(
        {stream_outcome::full, "There are " + std::to_string(limit_.stream.count) +
                                   " streams already, which is the most; delete some first."}));
  return shared_stream{wanted.name, *type, wanted.buffer_size};
}

stream_result<const named_stream*> stream_directory::create(const create_stream& wanted) {
  const auto made = creatable(wanted);
  if (!made)
    return tl::unexpected(made.error());
  adopt(*made);
  give_to_maker(wanted);
  return find(made->name);
}

void stream_directory::give_to_maker(const create_stream& made) {
  if (const auto found = streams_.find(made.name); found != streams_.end())
    found->second->owner = stream_owner{made.maker, made.key};
}

std::uint64_t stream_directory::size_for(const asking_party& caller) const {
  return static_cast<std::uint64_t>(
      std::count_if(streams_.begin(), streams_.end(), [&](const auto& row) {
        return !row.second->is_built_in() && row.second->admits(caller);
      }));
}

void stream_directory::adopt(const shared_stream& stream) {
  auto& slot = streams_[stream.name];
  if (!slot)
    slot = std::make_unique<named_stream>(named_stream{
        stream.name,
        stream.type,
        stream_ring{std::min(stream.buffer_size, limit_.stream.events), limit_.stream.bytes},
        new_life(),
        {}});
  if (stream.life != 0)
    slot->life = stream.life;
  auto& ring = slot->ring;
  const auto oldest_before = oldest_of(*slot);
  bytes_ -= ring.bytes();
  ring.begin_at(stream.oldest);
  bytes_ += ring.bytes();
  note_oldest(*slot, oldest_before);
}

void stream_directory::create_built_in(std::string_view name, stream_type type) {
  std::string key{name};
  auto made = std::make_unique<named_stream>(named_stream{
      key, type, stream_ring{default_buffer_size, limit_.stream.bytes}, new_life(), {}});
  streams_.emplace(std::move(key), std::move(made));
  ++built_in_;
}

stream_result<named_stream*> stream_directory::find_for_change(const std::string& name,
                                                               std::string_view what) {
  const auto found = streams_.find(name);
  if (found == streams_.end())
    return tl::unexpected(no_such_stream(name));
  if (found->second->is_built_in())
    return tl::unexpected(
        stream_refusal{stream_outcome::forbidden, "Stream " + name +
                                                      " belongs to the engine; it can be "
                                                      "read and subscribed to, but not " +
                                                      std::string{what} + "."});
  return found->second.get();
}

stream_result<std::shared_ptr<stream_event>> stream_directory::prepare(const publish_event& e,
                                                                       wall_time now) {
  const auto stream = find_for_change(e.stream, "published to");
  if (!stream)
    return tl::unexpected(stream.error());
  if (auto problem = event_problem(e, limit_))
    return tl::unexpected(counted(std::move(*problem)));
  auto made = std::make_shared<stream_event>();
  made->uuid = uuids_.next();
  made->at = now;
  made->type = redaction_->text(e.type.empty() ? default_event_type : e.type);
  made->topic = redaction_->text(e.topic);
  // A masked topic would reach other subscribers than the publisher means.
  if (made->topic.view() != e.topic)
    return tl::unexpected(stream_refusal{
        stream_outcome::invalid,
        "topic holds what looks like a secret or cannot be shown; name topics by plain words."});
  made->data = redaction_->json_value(e.data);
  if (!e.metadata.empty())
    made->metadata = redaction_->json_value(e.metadata);
  const auto cost = stream_ring::cost_of(*made);
  if (cost > limit_.stream.bytes || cost > limit_.stream.total_bytes)
    return tl::unexpected(counted({stream_outcome::too_large,
                                   "The event alone exceeds the memory of a stream; publish less, "
                                   "or raise limits.named_stream_bytes."}));
  return made;
}

stream_result<stream_event_ptr> stream_directory::publish(const publish_event& e, wall_time now) {
  auto made = prepare(e, now);
  if (!made)
    return tl::unexpected(made.error());
  (*made)->id = streams_.at(e.stream)->ring.next_id();
  return append(*streams_.at(e.stream), std::move(*made));
}

stream_event_ptr stream_directory::append_stored(const std::string& stream, const stored_event& e) {
  const auto found = streams_.find(stream);
  if (found == streams_.end() || e.id <= found->second->ring.newest_id())
    return nullptr;
  auto made = std::make_shared<stream_event>();
  made->id = e.id;
  made->uuid = redaction_->text(e.uuid).str();
  made->at = e.at;
  made->type = redaction_->text(e.type.empty() ? default_event_type : e.type);
  made->topic = redaction_->text(e.topic);
  made->data = redaction_->json_value(e.data);
  if (!e.metadata.empty())
    made->metadata = redaction_->json_value(e.metadata);
  return append(*found->second, std::move(made));
}

std::shared_ptr<stream_event> stream_directory::prepare_built_in(const built_in_event& e,
                                                                 wall_time now) {
  auto made = std::make_shared<stream_event>();
  made->uuid = uuids_.next();
  made->at = now;
  made->type = e.type;
  made->topic = redaction_->text(e.topic);
  made->data = e.data;
  return made;
}

stream_event_ptr stream_directory::publish_built_in(const built_in_event& e, wall_time now) {
  auto made = prepare_built_in(e, now);
  made->id = streams_.at(e.stream)->ring.next_id();
  return append(*streams_.at(e.stream), std::move(made));
}

stream_event_ptr stream_directory::append(named_stream& stream, std::shared_ptr<stream_event> e) {
  const auto bytes_before = stream.ring.bytes();
  const auto evicted_before = stream.ring.evicted();
  const auto oldest_before = oldest_of(stream);
  e->life = stream.life;
  stream_event_ptr shared = std::move(e);
  stream.ring.push(shared, ++published_);
  bytes_ = bytes_ - bytes_before + stream.ring.bytes();
  evicted_ += stream.ring.evicted() - evicted_before;
  note_oldest(stream, oldest_before);
  keep_budget();
  return shared;
}

void stream_directory::note_oldest(named_stream& stream, std::optional<std::uint64_t> before) {
  const auto now = oldest_of(stream);
  if (now == before)
    return;
  if (before)
    by_oldest_.erase(*before);
  if (now)
    by_oldest_.emplace(*now, &stream);
}

void stream_directory::keep_budget() {
  while (bytes_ > limit_.stream.total_bytes && !by_oldest_.empty()) {
    auto& stream = *by_oldest_.begin()->second;
    const auto bytes_before = stream.ring.bytes();
    const auto oldest_before = oldest_of(stream);
    stream.ring.drop_oldest();
    bytes_ = bytes_ - bytes_before + stream.ring.bytes();
    ++evicted_;
    note_oldest(stream, oldest_before);
  }
}

stream_result<std::uint64_t> stream_directory::purge(const std::string& name) {
  const auto stream = find_for_change(name, "purged");
  if (!stream)
    return tl::unexpected(stream.error());
  auto& ring = (*stream)->ring;
  const auto purged = ring.size();
  const auto oldest_before = oldest_of(**stream);
  bytes_ -= ring.bytes();
  ring.clear();
  note_oldest(**stream, oldest_before);
  for (const auto& id : (*stream)->subscriptions)
    subscriptions_.at(id).position = ring.newest_id();
  return purged;
}

stream_result<std::uint64_t> stream_directory::remove(const std::string& name) {
  const auto stream = find_for_change(name, "deleted");
  if (!stream)
    return tl::unexpected(stream.error());
  return erase(**stream);
}

void stream_directory::renew_built_in(const std::string& name) {
  const auto type = streams_.at(name)->type;
  erase(*streams_.at(name));
  --built_in_;
  create_built_in(name, type);
}

std::uint64_t stream_directory::erase(named_stream& stream) {
  const auto ended = stream.subscriptions.size();
  for (const auto& id : stream.subscriptions) {
    const auto subscription = subscriptions_.find(id);
    auto& own = by_client_[subscription->second.client];
    own.erase(id);
    if (own.empty())
      by_client_.erase(subscription->second.client);
    subscriptions_.erase(subscription);
  }
  if (const auto oldest = oldest_of(stream))
    by_oldest_.erase(*oldest);
  bytes_ -= stream.ring.bytes();
  streams_.erase(std::string{stream.name}); // a copy: the name goes with the stream
  return ended;
}

stream_result<const stream_subscription*>
stream_directory::subscribe(client_id client, const std::string& name, const std::string& topic) {
  const auto stream = streams_.find(name);
  if (stream == streams_.end())
    return tl::unexpected(no_such_stream(name));
  auto filter = topic_filter::parse(topic, limit_);
  if (!filter)
    return tl::unexpected(stream_refusal{stream_outcome::invalid, filter.error().message});
  if (subscriptions_.size() >= limit_.stream.subscriptions)
    return tl::unexpected(
        counted({stream_outcome::full, "There are " + std::to_string(limit_.stream.subscriptions) +
                                           " subscriptions already, which is the most; end some "
                                           "first with configure {action:\"stream\", "
                                           "stream_action:\"unsubscribe\"}."}));
  stream_subscription made{"sub-" + uuids_.next(), client, name, std::move(*filter),
                           stream->second->ring.newest_id()};
  stream->second->subscriptions.insert(made.id);
  by_client_[client].insert(made.id);
  const auto id = made.id;
  return &subscriptions_.emplace(id, std::move(made)).first->second;
}

const stream_subscription* stream_directory::find_subscription(client_id client,
                                                               const std::string& id) const {
  const auto found = subscriptions_.find(id);
  return found == subscriptions_.end() || found->second.client != client ? nullptr : &found->second;
}

stream_result<stream_subscription> stream_directory::unsubscribe(client_id client,
                                                                 const std::string& id) {
  const auto* known = find_subscription(client, id);
  if (!known)
    return tl::unexpected(no_such_subscription(id));
  auto ended = *known;
  streams_.at(ended.stream)->subscriptions.erase(id);
  auto& own = by_client_[client];
  own.erase(id);
  if (own.empty())
    by_client_.erase(client);
  subscriptions_.erase(id);
  return ended;
}

void stream_directory::forget(client_id client) {
  const auto own = by_client_.find(client);
  if (own == by_client_.end())
    return;
  for (const auto& id : own->second) {
    const auto subscription = subscriptions_.find(id);
    streams_.at(subscription->second.stream)->subscriptions.erase(id);
    subscriptions_.erase(subscription);
  }
  by_client_.erase(own);
}

stream_life stream_directory::new_life() {
  stream_life out = 0;
  while (out == 0)
    out = static_cast<stream_life>(uuids_.bits());
  return out;
}

stream_piece stream_directory::read_piece(const named_stream& stream, const topic_filter& filter,
                                          std::uint64_t after) const {
  stream_piece piece;
  piece.to = after;
  piece.missed = stream.ring.gap_after(after);
  piece.last = true;
  std::uint64_t bytes = 0;
  std::uint64_t looked_at = 0;
  stream.ring.for_each_after(after, [&](const stream_event_ptr& e) {
    const bool wanted = filter.matches(e->topic.view());
    bytes += wanted ? stream_ring::cost_of(*e) : 0;
    const bool fits = piece.events.empty() || bytes <= limit_.stream.replay_bytes;
    piece.last = fits && looked_at++ < looked_at_for_piece;
    if (!piece.last)
      return false;
    if (wanted)
      piece.events.push_back(e);
    piece.to = e->id;
    return true;
  });
  if (piece.last)
    piece.to = std::max(after, stream.ring.newest_id());
  return piece;
}

stream_page stream_directory::read(const stream_read& wanted) {
  stream_page page;
  const auto* known = find_subscription(wanted.client, wanted.subscription);
  if (!known) {
    page.problem = no_such_subscription(wanted.subscription).sentence;
    return page;
  }
  auto& subscription = subscriptions_.at(wanted.subscription);
  const auto& ring = streams_.at(subscription.stream)->ring;
  page.stream = subscription.stream;
  page.topic = subscription.filter.text();
  page.from = wanted.after.value_or(subscription.position);
  page.to = ring.newest_id();
  page.missed = ring.missed_after(page.from);
  std::uint64_t bytes = 0;
  ring.for_each_after(page.from, [&](const stream_event_ptr& e) {
    if (!subscription.filter.matches(e->topic.view()))
      return true;
    bytes += stream_ring::cost_of(*e);
    const bool fits = page.events.empty() || bytes <= wanted.max_bytes;
    if (page.left == 0 && page.events.size() < wanted.limit && fits)
      page.events.push_back(e);
    else
      ++page.left;
    return true;
  });
  if (page.left > 0)
    page.to = page.events.empty() ? page.from : page.events.back()->id;
  subscription.position = std::max(subscription.position, page.to);
  return page;
}

void stream_directory::unread(client_id client, const std::string& id, std::uint64_t from,
                              std::uint64_t to) {
  if (find_subscription(client, id) == nullptr)
    return;
  auto& position = subscriptions_.at(id).position;
  if (position == to)
    position = from;
}

const named_stream* stream_directory::find(const std::string& name) const {
  const auto found = streams_.find(name);
  return found == streams_.end() ? nullptr : found->second.get();
}

} // namespace gasoline
