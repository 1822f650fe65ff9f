#pragma once

#include "actors/streams/topics/topic_filter.hpp"
#include "actors/streams/topics/topic_index.hpp"
#include "messages/streams/stream_actors.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace gasoline {

/// A read that waits for an event.
struct waiting_read {
  stream_read wanted;
  caf::typed_response_promise<stream_page> promise;
};

/// Readers outside the actors that share a filter.
struct open_stream_tap {
  stream_tap_ptr tap;
};

/// A subscription whose client is told of every event.
struct told_subscription {
  client_id client = 0;
  std::string subscription;
  stream_notice_sink session;
};

/// Someone who is told of the events of one stream that pass a filter.
struct stream_listener {
  std::string stream;
  topic_filter filter;
  std::variant<waiting_read, open_stream_tap, told_subscription> who;
};

/// A session that wants to know once that a stream has changed.
struct stream_watcher {
  stream_notice_sink session;
  std::uint64_t seen = 0; ///< only of events with a higher id
};

/// Who listens to which stream, found by the topic of an event.
class stream_listeners {
 public:
  /// Adds a listener; answers its key.
  std::uint64_t add(stream_listener listener);

  /// Takes a listener out; nothing when there is none with that key.
  std::optional<stream_listener> take(std::uint64_t key);

  /// Null when there is none.
  stream_listener* find(std::uint64_t key);

  /// The key of a tap; 0: it is not open.
  std::uint64_t key_of(const stream_tap_ptr& tap) const;

  /// The keys of those who want an event of that topic.
  std::vector<std::uint64_t> wanting(const std::string& stream, std::string_view topic) const;

  /// The keys of all listeners of a stream.
  std::vector<std::uint64_t> of_stream(const std::string& stream) const {
    return wanting(stream, {});
  }

  /// The keys of the listeners that a client has; of one of its subscriptions unless that is empty.
  std::vector<std::uint64_t> of_client(client_id client, const std::string& subscription) const;

  void watch(const std::string& stream, stream_watcher watcher);

  /// Takes out those that want to know of an event with that id.
  std::vector<stream_watcher> take_watchers(const std::string& stream, std::uint64_t newest);

  /// Takes out all watchers of a stream.
  std::vector<stream_watcher> take_watchers(const std::string& stream);

  void forget_watcher(const caf::actor_addr& session);

  std::uint64_t taps() const { return taps_.size(); }
  std::uint64_t waiting() const { return waiting_; }

 private:
  std::unordered_map<std::uint64_t, stream_listener> by_key_;
  std::unordered_map<std::string, topic_index> by_stream_;
  std::map<stream_tap_ptr, std::uint64_t> taps_;
  std::map<std::pair<client_id, std::string>, std::vector<std::uint64_t>> by_client_;
  std::unordered_map<std::string, std::vector<stream_watcher>> watchers_;
  std::uint64_t last_key_ = 0;
  std::uint64_t waiting_ = 0;
};

} // namespace gasoline
