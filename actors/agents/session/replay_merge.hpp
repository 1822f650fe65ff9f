#pragma once

#include "messages/agents/session_event.hpp"
#include "messages/agents/session_filter.hpp"

#include <string>

namespace gasoline {

/// Merges the stored events of a replay, which come page by page, with the transient events of
/// messages that are still being written, so that ids rise and each event comes once.
class replay_merge {
 public:
  /// Only events after `since` that match are taken from `open`, which is in order of ids.
  replay_merge(const session_events& open, const session_filter& filter,
               const agent_session_id& session_id, const std::string& since);

  /// How many transient events there are to replay.
  std::size_t open_events() const { return open_.size(); }

  /// The events to send for the next page of stored ones; `last`: no page follows.
  session_events next(const session_events& stored, bool last);

 private:
  session_events open_;
  std::size_t at_ = 0;
};

} // namespace gasoline
