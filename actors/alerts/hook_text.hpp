#pragma once

#include "config/limits.hpp"
#include "messages/alerts/hook_question.hpp"
#include "messages/alerts/merged_alert.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// What a hook says of alerts that its conversation has not seen: a sentence, a line for each, the
/// worst first, and how many more there are, within `alert_hook_bytes`. It states facts and
/// gives no orders. Empty without alerts.
hook_answer hook_text(const std::vector<merged_alert>& unseen,
                      const limits_of<alert_room, push_room>& limit);

/// The same text of these alerts, one line each, as they are.
std::string lines_text(const std::vector<merged_alert>& alerts,
                       const limits_of<alert_room, push_room>& limit);

} // namespace gasoline
