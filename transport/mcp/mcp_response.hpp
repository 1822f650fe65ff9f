#pragma once

#include "messages/mcp/rpc.hpp"
#include "transport/http/http_router.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace gasoline {

/// A JSON-RPC error as the body of an HTTP error.
http_response rpc_refusal(std::uint16_t status, rpc_code code, const std::string& sentence,
                          const nlohmann::json& id = nullptr, const nlohmann::json& data = nullptr);

/// 202 without body.
http_response accepted_response();

/// Something that answers with this response when its last holder lets go of it, such as the actor
/// that has handled a message.
std::shared_ptr<const void> answer_when_released(http_reply reply, http_response response);

} // namespace gasoline
