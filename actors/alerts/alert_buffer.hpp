#pragma once

#include "actors/alerts/alert_log.hpp"
#include "actors/alerts/muted_alerts.hpp"
#include "actors/alerts/reader_directory.hpp"
#include "actors/alerts/scope/alert_scopes.hpp"
#include "actors/alerts/shown_ledger.hpp"
#include "config/limits.hpp"
#include "messages/alert_actors.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>

namespace gasoline {

struct alert_buffer_state {
  static inline const char* name = "alert_buffer";

  /// An alert of which it is not known yet whom it concerns, and what came after it.
  struct held_alert {
    alert_ptr a;
    ticket_ptr ticket;
  };

  // First, because CAF would initialise a typed handle in this place with the actor itself.
  limits_of<alert_room, push_room> limit;
  origin_locator_actor locator; ///< null: nobody finds programs
  alert_scopes scopes;
  std::deque<held_alert> held;
  std::map<client_id, alert_sink> listeners;                   ///< clients that are told of alerts
  std::unordered_map<reader_id, std::uint64_t> told_elsewhere; ///< newest alert that was counted
  alert_log log;
  shown_ledger ledger;
  muted_alerts muted;
  reader_directory readers;
  std::unordered_map<reader_id, std::uint64_t> missed; ///< alerts that were over before it came
};

/// What the buffer learns of this machine from.
struct buffer_surroundings {
  origin_locator_actor locator; ///< null: nothing is learned from where programs run
  std::string home;             ///< of the user; no project reaches as far up
};

/// The last alerts and what every agent conversation has been shown of them, by whichever way. A
/// drain answers the block for a tool result, a hook's question the text for its client; both mark
/// what they tell as shown. Clients are told of alerts as they come. All of them are told only of
/// what concerns their project; of the rest they get the number.
alert_ledger_actor::behavior_type
alert_buffer(alert_ledger_actor::stateful_pointer<alert_buffer_state> self,
             limits_of<alert_room, push_room> limit, buffer_surroundings surroundings);

} // namespace gasoline
