#pragma once

#include "config/limits.hpp"
#include "messages/alerts/merged_alert.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gasoline {

/// `correlation_id` of an alert: the detector's, else `evt_<id>`.
std::string correlation_text(const merged_alert& m);

/// The title that a notification of these alerts carries: the alert's, or `N alerts: …`.
/// `members` holds at least one alert, the worst first.
redacted_text notification_title(const std::vector<merged_alert>& members,
                                 const limits_of<alert_room, push_room>& limit);

/// A complete `notifications/message` line without line break. One member gives its fields; several
/// give the fields of the first plus `alerts` with all in short form. `members` holds at least one
/// alert, the worst first. At most `limit.push.notification_bytes` long: captured headers go
/// first, then the titles of the short forms are cut, then the last members are only counted in
/// `alerts_omitted`.
std::string notification_text(const std::vector<merged_alert>& members,
                              const limits_of<alert_room, push_room>& limit);

/// Appends the fields that every alert of a passive block has: severity, category, title,
/// timestamp, source, id, count, and `page_data` where a page wrote the text.
void append_brief_alert(std::string& out, const merged_alert& m,
                        const limits_of<alert_room, push_room>& limit);

/// Adds kind, correlation id and, where known, url, recurrence, next and detail to an object that
/// `append_brief_alert` made, with the detail cut so that the object stays within `room` bytes.
/// When not even the others fit, the object stays as it is.
void add_alert_details(std::string& object, const merged_alert& m, std::size_t room,
                       const limits_of<alert_room, push_room>& limit);

/// All of an alert as one object, for listings.
std::string full_alert_text(const merged_alert& m, const limits_of<alert_room, push_room>& limit);

/// The same for those who keep what is redacted.
struct alert_document {
  static redacted_text of(const merged_alert& m, const limits_of<alert_room, push_room>& limit);
};

} // namespace gasoline
