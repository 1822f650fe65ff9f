#pragma once

#include "messages/alerts/alert.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {

/// The unread alerts of one client, ready to be attached to a tool result. Empty text: there are
/// none.
struct alert_block {
  std::string text; ///< `--- ALERTS (n) ---`, newline, optional summary line, JSON array
  std::uint64_t shown = 0;
  std::uint64_t left = 0;         ///< unread alerts that did not fit
  std::vector<std::uint64_t> ids; ///< of the alerts that it tells
};

/// One alert of a listing, as a JSON object.
struct listed_alert {
  std::uint64_t id = 0;
  std::uint64_t count = 0; ///< occurrences so far
  bool unread = false;     ///< the client has not seen it
  severity level = severity::info;
  std::string text;
};

/// The last alerts for `observe {what:"alerts"}`, newest first.
struct alert_listing {
  std::vector<listed_alert> items;
  std::uint64_t elsewhere = 0; ///< further ones, of other projects
};

/// Alerts that a client was shown, as they were then: a repeat that came since is news.
struct told_alerts {
  struct one {
    std::uint64_t id = 0;
    std::uint64_t count = 0; ///< occurrences that were told; 0: however many there are
  };
  std::vector<one> alerts;
};

} // namespace gasoline
