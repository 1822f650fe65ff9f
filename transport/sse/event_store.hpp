#pragma once

#include "config/limits.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gasoline {

/// One event of one SSE stream within its session.
struct event_id {
  std::uint64_t stream = 0; ///< 0: the stream of unsolicited messages, else the exchange
  std::uint64_t number = 0; ///< counts from 1
};

/// A framed SSE event; shared with the connection that sends it, never changed.
using sse_text = std::shared_ptr<const std::string>;

class event_store;

/// What all stores of a server keep together.
struct event_totals {
  std::uint64_t bytes = 0;   ///< with those of messages that wait for a stream
  std::uint64_t evicted = 0; ///< events that went before their time, since the start
  std::uint64_t added = 0;   ///< also the place of the newest event among those of all stores
  std::map<std::uint64_t, event_store*> by_oldest; ///< the place of its oldest event -> store
};

/// What a client that comes back has not received.
struct missed_events {
  std::vector<sse_text> kept;
  std::uint64_t lost = 0; ///< that came before those and are no longer kept
};

/// The last events of one session's SSE streams, for clients that come back with `Last-Event-ID`
/// (2025-11-25, "Resumability and Redelivery"). Bounded by `mcp_event_entries` and
/// `mcp_event_bytes`, and by `mcp_event_total_bytes` over all sessions: the oldest events go first,
/// whosever they are, so that who is active does not pay for who is idle.
class event_store {
 public:
  /// `totals` is shared by all stores of a server. `tag` tells this session's ids from
  /// others'.
  event_store(std::string tag, std::shared_ptr<event_totals> totals,
              const limits_of<mcp_room>& limit);
  event_store(const event_store&) = delete;
  event_store& operator=(const event_store&) = delete;
  ~event_store();

  /// Makes the stream's next event with this data, keeps it and answers it framed.
  sse_text add(std::uint64_t stream, std::string_view data);

  /// The same without data, for clients to have an id from the start; tells them when to come back.
  sse_text add_priming(std::uint64_t stream);

  /// Nothing will be added to that stream any more.
  void close(std::uint64_t stream);

  /// Reads a `Last-Event-ID`; nothing when this session cannot have issued it.
  std::optional<event_id> parse(std::string_view text) const;

  /// What that stream sent after the event; nothing when some of a response's stream is no longer
  /// kept. Of the unsolicited messages those that are left count, and it says how many are not.
  std::optional<missed_events> after(const event_id& last) const;

  std::uint64_t bytes() const { return bytes_; }

  /// Lets the oldest events of all stores go until no more than `most` bytes are kept, or none is.
  static void make_room(event_totals& totals, std::uint64_t most);

 private:
  struct kept {
    event_id id;
    sse_text text;
    std::uint64_t place = 0; // among the events of all stores
  };
  struct progress {
    std::uint64_t last = 0;    // number of its newest event
    std::uint64_t evicted = 0; // number of the newest event that is not kept
    std::uint64_t kept = 0;
    bool closed = false;
  };

  sse_text keep(std::uint64_t stream, std::string_view fields);
  void evict();
  void evict_oldest();
  void note_oldest();
  void forget_if_spent(std::uint64_t stream);

  const std::string tag_;
  const std::shared_ptr<event_totals> totals_;
  limits_of<mcp_room> limit_;
  std::deque<kept> events_;
  std::unordered_map<std::uint64_t, progress> streams_;
  std::uint64_t bytes_ = 0;
  std::uint64_t oldest_place_ = 0; // under which it is known to the totals; 0: it keeps nothing
};

} // namespace gasoline
