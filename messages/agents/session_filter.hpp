#pragma once

#include "config/settings.hpp"
#include "messages/agents/session_event.hpp"

#include <nlohmann/json.hpp>

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Which events a client of a session wants.
struct session_filter {
  std::bitset<session_event_types> types;
  bool any_type = false;                          ///< also types outside the catalog
  std::optional<std::vector<std::string>> actors; ///< empty: of every actor
  bool with_workers = false;

  /// Whether a client of `session_id` gets the event. A type outside the catalog is named by no
  /// list; it comes to those who want all.
  bool matches(const session_event& e, const agent_session_id& session_id) const;
};

/// Reads the `filter` of a subscribe frame: an object, `"preset:chat"` or `"preset:full"`. Anything
/// that is not exactly right is refused with the offending string (section 9.3).
result_or<session_filter> parse_session_filter(const nlohmann::json& filter);

/// The filter as `subscribe_ack` shows it, presets expanded.
nlohmann::json to_json_document(const session_filter& filter);

} // namespace gasoline
