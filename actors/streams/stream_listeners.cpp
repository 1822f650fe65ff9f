#include "actors/streams/stream_listeners.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using owner = std::pair<client_id, std::string>;

/// The client and subscription that a listener belongs to; none: it is a tap.
std::optional<owner> owner_of(const stream_listener& listener) {
  if (const auto* read = std::get_if<waiting_read>(&listener.who))
    return owner{read->wanted.client, read->wanted.subscription};
  if (const auto* told = std::get_if<told_subscription>(&listener.who))
    return owner{told->client, told->subscription};
  return std::nullopt;
}

} // namespace

std::uint64_t stream_listeners::add(stream_listener listener) {
  const auto key = ++last_key_;
  by_stream_[listener.stream].add(listener.filter, key);
  if (const auto* tap = std::get_if<open_stream_tap>(&listener.who))
    taps_.emplace(tap->tap, key);
  if (std::holds_alternative<waiting_read>(listener.who))
    ++waiting_;
  if (auto client = owner_of(listener))
    by_client_[std::move(*client)].push_back(key);
  by_key_.emplace(key, std::move(listener));
  return key;
}

std::optional<stream_listener> stream_listeners::take(std::uint64_t key) {
  auto node = by_key_.extract(key);
  if (node.empty())
    return std::nullopt;
  auto listener = std::move(node.mapped());
  const auto index = by_stream_.find(listener.stream);
  index->second.remove(listener.filter, key);
  if (index->second.empty())
    by_stream_.erase(index);
  if (const auto* tap = std::get_if<open_stream_tap>(&listener.who))
    taps_.erase(tap->tap);
  if (std::holds_alternative<waiting_read>(listener.who))
    --waiting_;
  if (const auto client = owner_of(listener)) {
    const auto own = by_client_.find(*client);
    std::erase(own->second, key);
    if (own->second.empty())
      by_client_.erase(own);
  }
  return listener;
}

stream_listener* stream_listeners::find(std::uint64_t key) {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &found->second;
}

std::uint64_t stream_listeners::key_of(const stream_tap_ptr& tap) const {
  const auto found = taps_.find(tap);
  return found == taps_.end() ? 0 : found->second;
}

std::vector<std::uint64_t> stream_listeners::wanting(const std::string& stream,
                                                     std::string_view topic) const {
  std::vector<std::uint64_t> out;
  if (const auto index = by_stream_.find(stream); index != by_stream_.end())
    index->second.find(topic, [&](std::uint64_t key) { out.push_back(key); });
  return out;
}

std::vector<std::uint64_t> stream_listeners::of_client(client_id client,
                                                       const std::string& subscription) const {
  std::vector<std::uint64_t> out;
  for (auto it = by_client_.lower_bound({client, subscription});
       it != by_client_.end() && it->first.first == client &&
       (subscription.empty() || it->first.second == subscription);
       ++it)
    out.insert(out.end(), it->second.begin(), it->second.end());
  return out;
}

void stream_listeners::watch(const std::string& stream, stream_watcher watcher) {
  auto& all = watchers_[stream];
  const auto known = std::find_if(all.begin(), all.end(), [&](const stream_watcher& w) {
    return w.session == watcher.session;
  });
  if (known == all.end())
    all.push_back(std::move(watcher));
  else
    known->seen = watcher.seen;
}

std::vector<stream_watcher> stream_listeners::take_watchers(const std::string& stream,
                                                            std::uint64_t newest) {
  std::vector<stream_watcher> out;
  const auto found = watchers_.find(stream);
  if (found == watchers_.end())
    return out;
  auto& all = found->second;
  const auto later =
      std::partition(all.begin(), all.end(), [&](const auto& w) { return w.seen >= newest; });
  out.assign(std::make_move_iterator(later), std::make_move_iterator(all.end()));
  all.erase(later, all.end());
  if (all.empty())
    watchers_.erase(found);
  return out;
}

std::vector<stream_watcher> stream_listeners::take_watchers(const std::string& stream) {
  auto node = watchers_.extract(stream);
  return node.empty() ? std::vector<stream_watcher>{} : std::move(node.mapped());
}

void stream_listeners::forget_watcher(const caf::actor_addr& session) {
  for (auto it = watchers_.begin(); it != watchers_.end();) {
    std::erase_if(it->second,
                  [&](const stream_watcher& w) { return w.session.address() == session; });
    it = it->second.empty() ? watchers_.erase(it) : std::next(it);
  }
}

} // namespace gasoline
