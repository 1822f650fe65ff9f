#pragma once

#include "messages/agents/http_fetch.hpp"
#include "messages/agents/model_call.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// The class of a model call that a server refused with that HTTP status, and whether another try
/// can help; without message.
call_failure failure_of_status(int status);

/// The same for the error type of the Anthropic API, such as `overloaded_error`; `server_error`
/// for types that are not known.
call_failure failure_of_type(std::string_view type);

/// The failure of a call whose answer did not come, or not to its end.
call_failure failure_of_fetch(const fetch_failure& failure);

/// What the stream of a provider broke its own rules with.
call_failure malformed_stream(std::string message);

/// The stream ended before the answer did.
call_failure incomplete_stream();

/// How long the server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as an HTTP
/// date; `now` is the time to compare a date with. Nothing when it says nothing of use.
std::optional<std::uint64_t> retry_after_of(const header_fields& headers, wall_time now);

/// The sentence in the body of an error answer: `{"error":{"message"}}`, `{"error":"…"}`,
/// `{"message"}`; empty when there is none.
std::string message_of_error(const nlohmann::json& body);

} // namespace gasoline
