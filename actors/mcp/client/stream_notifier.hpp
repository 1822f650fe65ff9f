#pragma once

#include "config/limits.hpp"
#include "messages/base/time.hpp"
#include "messages/streams/named_stream.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// Throttles the notifications of one client's streams: the first event leaves at once, those that
/// follow wait until `named_stream_notify_ms` have passed since the last one and leave together,
/// one notification a stream. Knows no clock.
class stream_notifier {
 public:
  explicit stream_notifier(const limits_of<push_room, stream_room>& limit) : limit_(limit) {}

  /// Events of one stream that are told together.
  struct pending {
    stream_event_ptr newest;
    std::uint64_t count = 0;
  };

  /// What the caller has to do now.
  struct decision {
    std::map<std::string, pending> tell;
    std::optional<mono_time> wake_at; ///< when `due` has to be called
  };

  /// A stream has an event that the client wants to be told of.
  decision offer(const std::string& stream, stream_event_ptr newest, mono_time now);

  /// Nobody is told of what waits any longer, and the next event leaves at once.
  void forget();

  /// The time of an earlier `wake_at` has come.
  decision due(mono_time now);

  /// The client takes nothing at the moment, or takes messages again. Until it does, events are
  /// counted, and the newest of each stream is kept.
  decision set_congested(bool congested, mono_time now);

 private:
  limits_of<push_room, stream_room> limit_;
  std::map<std::string, pending> waiting_;
  std::optional<mono_time> last_;
  bool congested_ = false;
};

/// A complete `notifications/message` for events of a stream: logger `gasoline.streams`.
std::string stream_notification(const std::string& stream, const stream_notifier::pending& events,
                                const limits_of<push_room, stream_room>& limit);

} // namespace gasoline
