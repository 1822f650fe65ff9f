#pragma once

#include "config/limits.hpp"
#include "messages/alerts/merged_alert.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// One push for Claude Code's channels, `notifications/claude/channel`, as a JSON-RPC text: a
/// sentence and a line for each alert, the worst first, within `alert_hook_bytes`. `members` is not
/// empty. What a page wrote stands in quotes and cannot end the tag that the agent puts around it.
std::string channel_notification(const std::vector<merged_alert>& members,
                                 const limits_of<alert_room, push_room>& limit);

} // namespace gasoline
