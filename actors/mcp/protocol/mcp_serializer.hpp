#pragma once

#include "messages/mcp/mcp.hpp"
#include "messages/mcp/rpc.hpp"
#include "messages/mcp/tool.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace gasoline {

// The one place where what leaves for a client differs between the eras and revisions. Handlers
// answer the same documents to all.

/// A complete result of `method` as the revision shows it: modern ones get `resultType`, the
/// server's info and, where required, cache hints.
nlohmann::json complete_result(mcp_revision revision, std::string_view method,
                               nlohmann::json result);

/// Modern era: the result that asks the client for input. `state` is the sealed state; empty: none.
nlohmann::json input_required_result(nlohmann::json inputs, const std::string& state);

/// The result of `tools/call`: content blocks, and `isError` where it is one. A link is a text for
/// revisions that know no links.
nlohmann::json tool_result_json(mcp_revision revision, tool_result result);

/// The error code on the wire for that revision.
rpc_code wire_code(mcp_revision revision, rpc_code code);

/// `serverInfo` with the fields that the revision knows.
nlohmann::json server_info(mcp_revision revision);

/// Server capabilities in the shape of the revision; `lists_change`: whether changes of the lists
/// of tools, prompts and resources are announced.
nlohmann::json server_capabilities(mcp_revision revision, bool lists_change);

/// The params of `notifications/progress`; `message` only where the revision knows it.
nlohmann::json progress_params(mcp_revision revision, const nlohmann::json& token, double progress,
                               const nlohmann::json& total, std::string_view message);

/// A complete notification.
std::string notification_message(std::string_view method, nlohmann::json params);

/// A complete request of ours.
std::string request_message(const nlohmann::json& id, std::string_view method,
                            nlohmann::json params);

} // namespace gasoline
