#pragma once

#include "actors/mcp/client/client_replies.hpp"

#include <functional>
#include <string_view>

namespace gasoline {

/// Legacy era: sends a request to the client on the stream of one of its own. `then` gets the
/// result, or `{"error":…}`: the client's, or one of ours when it may not be asked, does not answer
/// within `client_ask_ms`, or leaves. Not called when the client cancels its request.
void ask_client(client_pointer self, const open_request_ptr& request, std::string_view method,
                nlohmann::json params, std::function<void(const nlohmann::json& reply)> then);

/// The client has answered; replies to nothing are ignored.
void take_reply(client_pointer self, const rpc_reply& reply);

/// The client will answer nothing more.
void fail_asks(client_pointer self);

} // namespace gasoline
