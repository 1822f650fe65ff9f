#pragma once

#include "actors/alerts/alert_log.hpp"
#include "actors/alerts/reader_directory.hpp"
#include "actors/alerts/shown_ledger.hpp"
#include "config/limits.hpp"
#include "messages/alert_actors.hpp"

#include <cstdint>
#include <unordered_map>

namespace gasoline {

struct alert_buffer_state {
  static inline const char* name = "alert_buffer";

  alert_log log;
  shown_ledger ledger;
  reader_directory readers;
  std::unordered_map<reader_id, std::uint64_t> missed; ///< alerts that were over before it came
  limits limit;
};

/// The last alerts and what every agent conversation has been shown of them, by whichever way. A
/// drain answers the block for a tool result, a hook's question the text for its client; both mark
/// what they tell as shown.
alert_ledger_actor::behavior_type
alert_buffer(alert_ledger_actor::stateful_pointer<alert_buffer_state> self, limits limit);

} // namespace gasoline
