#pragma once

#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp_tools/observe/observe_tool.hpp"

#include <functional>

namespace gasoline {

/// `tools/list`: one page.
void tools_list(const request_context& context, const nlohmann::json& params);

/// `tools/call`: name, rate limit, and the tool of the registry.
void tools_call(const request_context& context, const nlohmann::json& params);

// What the tools of the core do.
void call_observe(const request_context& context, const nlohmann::json& arguments);
void call_configure(const request_context& context, const nlohmann::json& arguments);
void call_configure_streaming(const request_context& context, const nlohmann::json& arguments);

/// Answers a tool call with its text and, when there is one, a block of alerts.
void answer_tool(const request_context& context, tool_result result, std::string alert_text = {});

/// The same with the client's unread alerts as its block, when there are any.
void answer_with_alerts(const request_context& context, const tool_result& result);

/// Answers `observe {what:"alerts"}` with a listing and marks what it shows as read.
void answer_alert_listing(const request_context& context, const observe_call& call,
                          const alert_listing& listing);

/// The same with the listing of now.
void answer_alerts(const request_context& context, const observe_call& call);

} // namespace gasoline
