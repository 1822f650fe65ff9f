#pragma once

#include "actors/mcp_tools/tool_arguments.hpp"
#include "config/limits.hpp"
#include "messages/streams/named_stream.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace gasoline {

// The arguments of the tools of streams, as far as their types go; what they mean is checked by the
// registry of streams. The errors name what is valid.

result_or<create_stream> parse_stream_create(const nlohmann::json& arguments, const limits& limit);

result_or<publish_event> parse_stream_publish(const nlohmann::json& arguments);

/// A checked `stream_subscribe`.
struct subscribe_arguments {
  std::string name;
  std::string topic;
  bool notifies = false;
};

result_or<subscribe_arguments> parse_stream_subscribe(const nlohmann::json& arguments);

result_or<show_streams> parse_stream_status(const nlohmann::json& arguments, const limits& limit);

/// `configure {action:"stream"}`. The client of an ended subscription is left open.
result_or<stream_command> parse_stream_action(tool_arguments& args);

/// A checked `observe {what:"stream"}`. The client of the read is left open.
struct observe_stream_call {
  stream_read read;
  std::string ignored; ///< arguments it does not know
};

result_or<observe_stream_call> parse_observe_stream(const nlohmann::json& arguments,
                                                    const limits& limit);

} // namespace gasoline
