#pragma once

#include "config/limits.hpp"
#include "messages/alerts/alert.hpp"
#include "messages/telemetry/event.hpp"

#include <optional>

namespace gasoline {

// What single events mean, before any counting.

/// An uncaught error or unhandled rejection: an entry of type exception, or a console error that
/// says so itself.
bool is_uncaught(const event& e);

/// An entry that counts towards an error spike: level error or uncaught, and no network entry.
bool is_error_entry(const event& e);

/// A request without an answer or with status 400 and above, or one of whose answer its sender says
/// that it holds an error: GraphQL errors, a page in place of an image. A waterfall entry with
/// status 0 needs an error as well, since browsers report 0 for every cross-origin resource they
/// hide.
bool is_failed_exchange(const event& e);

/// A WebSocket that closed with a code other than 1000, 1001 and 1005.
bool is_abnormal_close(const event& e);

/// A WebSocket that failed, or was lost in a way that a restart of its server explains.
bool may_reconnect(const event& e);

/// Where a WebSocket leads, without its query.
redacted_text socket_address(const event& e);

/// Whether a successful answer to a POST could hold GraphQL errors; looks at the URL alone.
inline bool may_hold_graphql(const event& e) {
  return e.kind == telemetry_kind::body && e.status == 200 && e.name.view() == "POST" &&
         e.url.view().find("graphql") != std::string_view::npos;
}

/// Whether the event could raise or count towards an alert. Looks at no text longer than a word,
/// and lets more through than the functions above, never less.
inline bool may_alert(const event& e) {
  switch (e.kind) {
  case telemetry_kind::log:
    return e.level >= log_level::warn || e.type == entry_type::exception ||
           e.type == entry_type::security || e.type == entry_type::network;
  case telemetry_kind::body:
    return e.status < 1 || e.status >= 400 || !e.message.empty() || may_hold_graphql(e);
  case telemetry_kind::request:
    return e.status < 1 || e.status >= 400;
  case telemetry_kind::socket:
    return e.name.view() == "close" || e.name.view() == "error";
  default:
    return false;
  }
}

/// The alert that one event raises by itself, without time stamps; nothing when it raises none. An
/// error that a framework or a development server only prints raises one like an uncaught error.
/// Ignores noise marks except `hint`, which asks for the advice about cross-origin scripts.
std::optional<alert> direct_alert(const event& e, const limits_of<alert_room>& limit);

/// What an alert is called, and merged by.
struct alert_heading {
  redacted_text title;
  redacted_text dedup_key; ///< never empty
};

/// The heading of `direct_alert`, without the work for the rest of it.
std::optional<alert_heading> direct_heading(const event& e, const limits_of<alert_room>& limit);

} // namespace gasoline
