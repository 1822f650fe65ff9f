#pragma once

#include "messages/alerts/alert.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace gasoline {

/// Whether an alert belongs into a session that watches pages below `page_url` and works in that
/// directory: alerts of such pages, those of no page (memory), and those that name a file of the
/// workspace, as stacks and CI results do. An empty `page_url` takes every alert.
bool alert_concerns(const alert& a, std::string_view page_url, std::string_view workspace_path);

/// The payload of `alert.raised`.
nlohmann::json alert_payload(const alert& a);

/// The alert in one line, for a model.
std::string alert_line(const alert& a);

} // namespace gasoline
