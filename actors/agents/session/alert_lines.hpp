#pragma once

#include "messages/alerts/alert.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace gasoline {

/// Whether an alert belongs into a session that watches pages below `page_url`: alerts of such
/// pages, and those of no page (CI, memory). An empty `page_url` takes every alert.
bool alert_concerns(const alert& a, std::string_view page_url);

/// The payload of `alert.raised`.
nlohmann::json alert_payload(const alert& a);

/// The alert in one line, for a model.
std::string alert_line(const alert& a);

} // namespace gasoline
