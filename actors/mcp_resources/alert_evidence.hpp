#pragma once

#include "actors/mcp/client/request_context.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Finds the alert `alert_N` (or `N`) and what happened around it. `then` gets one JSON document,
/// `{alert, around, before_ms, after_ms}` with the events newest first, within
/// `limit.result.bytes`; `unknown` gets the ids that exist, newest first. Marks nothing as read.
void read_alert_evidence(const request_context& context, std::string_view id,
                         std::function<void(const std::string& document)> then,
                         std::function<void(const std::vector<std::string>& ids)> unknown);

/// The number in `alert_12`, or in `12` alone.
std::optional<std::uint64_t> alert_number(std::string_view id);

/// The ids of the present alerts, newest first.
void alert_ids(const request_context& context,
               std::function<void(const std::vector<std::string>& ids)> then);

} // namespace gasoline
