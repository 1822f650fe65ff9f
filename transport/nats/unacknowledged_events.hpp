#pragma once

#include "messages/streams/stream_backend.hpp"
#include "transport/nats/nats_message.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gasoline {

/// Events that a server has not acknowledged yet, in the order in which they were published. Each
/// is sent until it is acknowledged, refused or given up; the server recognises what it has
/// already. While the server cannot take the events of a stream, only the oldest one is tried, so
/// that none gets in front of it. Knows no clock.
class unacknowledged_events {
 public:
  using clock = std::chrono::steady_clock;
  using done_handler = std::function<void(stored_places)>;

  /// Takes events that are to be stored; answers the number of the first, the others follow it.
  std::uint64_t add(const store_events& wanted, clock::time_point now, done_handler done);

  /// Calls `send` with (number, message) of every event from that number on, in order.
  template <class Send>
  void send_from(std::uint64_t number, clock::time_point now, Send send) {
    for (auto it = entries_.lower_bound(number); it != entries_.end(); ++it)
      if (stalled_.empty() || stalled_.count(it->second.stream) == 0)
        send_one(*it, now, send);
  }

  /// The same with every event of one stream.
  template <class Send>
  void send_stream(const std::string& stream, clock::time_point now, Send send) {
    for (auto& entry : entries_)
      if (entry.second.stream == stream)
        send_one(entry, now, send);
  }

  /// The same with those that were sent that long ago and are still here.
  template <class Send>
  void send_again(clock::time_point now, std::chrono::milliseconds after, Send send) {
    auto untried = stalled_;
    for (auto& entry : entries_) {
      const auto& row = entry.second;
      const bool waits = stalled_.count(row.stream) > 0 && untried.erase(row.stream) == 0;
      if (!waits && row.sent + after <= now)
        send_one(entry, now, send);
    }
  }

  /// The server cannot take events of that one's stream for now.
  void stall(std::uint64_t number);

  /// It can again, as far as anybody knows; of every stream.
  void resume() { stalled_.clear(); }

  /// It is known where that event is, or why it is not. Answers the stream whose events have waited
  /// for that and are to be sent now, if any have.
  std::optional<std::string> settle(std::uint64_t number, stored_place place);

  /// Gives up those whose time is over.
  void expire(clock::time_point now, const std::string& problem);

  /// Gives up those of one stream.
  void drop_stream(const std::string& stream, const stored_place& place);

  bool empty() const { return entries_.empty(); }
  std::uint64_t bytes() const { return bytes_; }

  /// What events count as until they are settled.
  static std::uint64_t cost_of(const store_events& wanted);

 private:
  /// Events that are answered for together.
  struct group {
    stored_places places;
    std::size_t open = 0;
    done_handler done;
  };

  struct entry {
    stream_event_ptr event; ///< whoever published it has it as well; sent as a message
    std::string stream;
    std::shared_ptr<group> owner;
    std::size_t index = 0;
    std::uint64_t cost = 0;
    clock::time_point sent{};
    std::optional<clock::time_point> due;
  };

  using entries = std::map<std::uint64_t, entry>;

  static nats_message message_of_entry(const entry& wanted);

  template <class Send>
  static void send_one(entries::value_type& wanted, clock::time_point now, Send& send) {
    wanted.second.sent = now;
    auto message = message_of_entry(wanted.second);
    send(wanted.first, message);
  }

  entries::iterator settle_at(entries::iterator at, stored_place place);

  entries entries_;
  std::set<std::string> stalled_; ///< streams whose events the server cannot take for now
  std::uint64_t last_ = 0;
  std::uint64_t bytes_ = 0;
};

} // namespace gasoline
