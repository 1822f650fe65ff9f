#include "actors/mcp_tools/streams/stream_publish_tool.hpp"

#include "actors/mcp_tools/streams/stream_answers.hpp"
#include "messages/base/json_text.hpp"
#include "messages/streams/named_stream.hpp"

#include <utility>

namespace gasoline {
namespace {

/// Reads any JSON value, null included.
bool take_data(tool_arguments& arguments, std::string_view name, publish_event& out) {
  const auto* value = arguments.any(name);
  if (value)
    out.data = dumped(*value);
  return value != nullptr;
}

tool_parameters<publish_event> publish_parameters() {
  tool_parameters<publish_event> out;
  out.text("stream_name", &publish_event::stream).needed(missing_stream);
  out.add("data", {{"description", "Any JSON value"}}, take_data).needed(": any JSON value.");
  out.text("event_type", &publish_event::type).shows("default", default_event_type);
  out.text("topic", &publish_event::topic);
  out.object("metadata", &publish_event::metadata, R"({"source":"api"})");
  return out;
}

} // namespace

tool stream_publish_tool() {
  return stream_tool("stream_publish", "Publish an event",
                     "Appends an event to a stream. Without topic it reaches every subscriber.",
                     make_mode("", "appends an event", publish_parameters(),
                               [](const tool_call& call, publish_event e) {
                                 run_stream_command(call, std::move(e));
                               }));
}

} // namespace gasoline
