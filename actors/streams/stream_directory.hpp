#pragma once

#include "actors/redaction/redaction_engine.hpp"
#include "actors/streams/stream_checks.hpp"
#include "actors/streams/stream_owner.hpp"
#include "actors/streams/stream_ring.hpp"
#include "actors/streams/topics/topic_filter.hpp"
#include "actors/streams/uuid_source.hpp"
#include "config/limits.hpp"
#include "messages/streams/named_stream.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gasoline {

/// An event of the engine's own, for one of its streams.
struct built_in_event {
  std::string stream;
  redacted_text type;
  std::string topic;
  redacted_text data; ///< a JSON value
};

/// One stream of the directory.
struct named_stream {
  std::string name;
  stream_type type = stream_type::in_memory;
  stream_ring ring;
  stream_life life = 0;
  std::set<std::string> subscriptions;
  stream_owner owner{};

  bool is_built_in() const { return name.starts_with('$'); }

  /// The engine's own is for everyone who may use the engine.
  bool admits(const asking_party& caller) const { return is_built_in() || owner.admits(caller); }
};

/// One subscription of a client.
struct stream_subscription {
  std::string id;
  client_id client = 0;
  std::string stream;
  topic_filter filter;
  std::uint64_t position = 0; ///< read up to this id
};

/// All streams with their events and subscriptions, within their budgets; knows no clock and no
/// actors. Events are redacted when they are published; the budget of all streams is kept by
/// dropping the oldest events, whosever they are.
class stream_directory {
 public:
  stream_directory(std::shared_ptr<const redaction_engine> redaction,
                   const limits_of<stream_room>& limit);

  /// Makes a stream of the user's.
  stream_result<const named_stream*> create(const create_stream& wanted);

  /// The stream that would be made, or why it would not.
  stream_result<shared_stream> creatable(const create_stream& wanted);

  /// Has a stream of that name and description, and drops what it does not hold any more; it may
  /// be there already.
  void adopt(const shared_stream& stream);

  /// From now on the stream is its maker's.
  void give_to_maker(const create_stream& made);

  /// Makes a stream that belongs to the engine.
  void create_built_in(std::string_view name, stream_type type);

  /// Appends an event to a stream of the user's.
  stream_result<stream_event_ptr> publish(const publish_event& e, wall_time now);

  /// Checks and redacts an event without appending it; its id is open.
  stream_result<std::shared_ptr<stream_event>> prepare(const publish_event& e, wall_time now);

  /// The same for a stream of the engine's.
  std::shared_ptr<stream_event> prepare_built_in(const built_in_event& e, wall_time now);

  /// Appends what someone has published elsewhere, redacted; null when the stream is not there or
  /// has had that id.
  stream_event_ptr append_stored(const std::string& stream, const stored_event& e);

  /// Appends an event to a stream of the engine's, which must exist.
  stream_event_ptr publish_built_in(const built_in_event& e, wall_time now);

  /// Drops the buffered events; everyone has read them.
  stream_result<std::uint64_t> purge(const std::string& name);

  /// Removes a stream; answers the subscriptions that ended with it.
  stream_result<std::uint64_t> remove(const std::string& name);

  /// A stream of the user's, which may be changed so.
  stream_result<named_stream*> find_for_change(const std::string& name, std::string_view what);

  /// Begins a stream of the engine's anew, with no events and no subscriptions.
  void renew_built_in(const std::string& name);

  stream_result<const stream_subscription*> subscribe(client_id client, const std::string& name,
                                                      const std::string& topic);
  stream_result<stream_subscription> unsubscribe(client_id client, const std::string& id);

  /// Ends all subscriptions of a client.
  void forget(client_id client);

  /// A piece of what is buffered behind that id, as far as it passes the filter: events of
  /// `named_stream_replay_bytes` at most, unless the first is larger.
  stream_piece read_piece(const named_stream& stream, const topic_filter& filter,
                          std::uint64_t after) const;

  /// Reads on; `wait` is not looked at.
  stream_page read(const stream_read& wanted);

  /// Makes what was read from one id up to another new again, unless more was read since.
  void unread(client_id client, const std::string& id, std::uint64_t from, std::uint64_t to);

  /// Null when there is none.
  const named_stream* find(const std::string& name) const;
  const stream_subscription* find_subscription(client_id client, const std::string& id) const;

  /// Calls `take` with the streams whose name comes behind `after`, in the order of the names,
  /// until it answers false.
  template <class Take>
  void for_each_behind(const std::string& after, Take take) const {
    for (auto it = streams_.upper_bound(after); it != streams_.end(); ++it)
      if (!take(*it->second))
        return;
  }

  /// Streams of the user's.
  std::uint64_t size() const { return streams_.size() - built_in_; }
  std::uint64_t subscriptions() const { return subscriptions_.size(); }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t published() const { return published_; }

  /// Events that caps have dropped, since the start.
  std::uint64_t evicted() const { return evicted_; }

  /// Events and commands that were refused for a cap.
  std::uint64_t refused() const { return refused_; }

  /// How many of the user's streams this caller may use.
  std::uint64_t size_for(const asking_party& caller) const;

 private:
  std::uint64_t erase(named_stream& stream);
  stream_life new_life();
  stream_event_ptr append(named_stream& stream, std::shared_ptr<stream_event> e);
  void keep_budget();
  void note_oldest(named_stream& stream, std::optional<std::uint64_t> before);
  stream_refusal counted(stream_refusal refusal);

  std::shared_ptr<const redaction_engine> redaction_;
  limits_of<stream_room> limit_;
  uuid_source uuids_;
  std::map<std::string, std::unique_ptr<named_stream>> streams_;
  std::map<std::uint64_t, named_stream*> by_oldest_; // the place of its oldest event -> stream
  std::unordered_map<std::string, stream_subscription> subscriptions_;
  std::map<client_id, std::set<std::string>> by_client_;
  std::uint64_t built_in_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t published_ = 0; // also the order of the newest event
  std::uint64_t evicted_ = 0;
  std::uint64_t refused_ = 0;
};

/// The sentence for a stream that does not exist.
stream_refusal no_such_stream(std::string_view name);

} // namespace gasoline
