#pragma once

#include "actors/mcp/client/client_agreement.hpp"
#include "actors/mcp/client/stream_notifier.hpp"
#include "actors/mcp/link/client_timers.hpp"
#include "actors/mcp/link/message_outbox.hpp"

#include <cstdint>

namespace gasoline {

/// Pushes events of named streams to one client of the legacy era, as far as its log level lets
/// them pass.
class stream_delivery {
 public:
  stream_delivery(client_actor::pointer self, const limits_of<push_room, stream_room>& limit,
                  client_timers& timers, const message_outbox& outbox,
                  const client_agreement& agreement)
      : self_(self),
        limit_(limit),
        timers_(timers),
        outbox_(outbox),
        agreement_(agreement),
        notifier_(limit) {}

  /// A stream has an event that the client wants to be told of.
  void notify(const stream_notice& notice);

  /// The client's writer is, or is no longer, above its cap: events are counted meanwhile.
  void hold(bool congested);

  /// The client begins anew: what waits to be told is forgotten.
  void begin_anew();

  /// The client has left: nothing is pushed any longer.
  void close() { closed_ = true; }

 private:
  bool may_push() const;
  void carry_out(const stream_notifier::decision& next);

  client_actor::pointer self_;
  limits_of<push_room, stream_room> limit_;
  client_timers& timers_;
  const message_outbox& outbox_;
  const client_agreement& agreement_;
  stream_notifier notifier_;
  std::uint64_t timer_ = 0; ///< tells of throttled events; 0: none runs
  bool closed_ = false;
};

} // namespace gasoline
