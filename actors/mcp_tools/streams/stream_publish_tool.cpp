#include "actors/mcp_tools/streams/stream_publish_tool.hpp"

#include "actors/mcp_tools/streams/stream_answers.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/streams/named_stream.hpp"

#include <optional>
#include <string>
#include <utility>

namespace gasoline {
namespace {

struct publish_arguments {
  publish_event event;
  std::optional<std::string> text; ///< in place of `data`
};

/// Where a parameter of the event goes.
template <class Member>
auto in_event(Member member) {
  return [member](publish_arguments & arguments) -> auto& {
    return arguments.event.*member;
  };
}

/// Reads any JSON value, null included: clients that write no objects are not refused for it.
bool take_data(tool_arguments& arguments, std::string_view name, publish_arguments& out) {
  if (out.text && arguments.has(name)) {
    arguments.fail("data and text are two ways to give the event; send one of them.");
    return true;
  }
  const auto* value = arguments.any(name);
  if (out.text)
    out.event.data = dumped(nlohmann::json(*out.text));
  else if (value)
    out.event.data = dumped(*value);
  else
    arguments.fail("data is missing: a JSON object; or text, for a plain one.");
  return true;
}

tool_parameters<publish_arguments> publish_parameters() {
  tool_parameters<publish_arguments> out;
  out.text("stream_name", in_event(&publish_event::stream)).needed(missing_stream);
  out.text("text", &publish_arguments::text).about("Instead of data: an event that is a text");
  out.add("data", {{"type", "object"}}, take_data).about("The event");
  out.text("event_type", in_event(&publish_event::type)).shows("default", default_event_type);
  out.text("topic", in_event(&publish_event::topic));
  out.object("metadata", in_event(&publish_event::metadata), R"({"source":"api"})");
  return out;
}

} // namespace

tool stream_publish_tool() {
  return stream_tool("stream_publish", "Publish an event",
                     "Appends an event to a stream. Without topic it reaches every subscriber.",
                     make_mode("", "appends an event", publish_parameters(),
                               [](const tool_call& call, publish_arguments arguments) {
                                 run_stream_command(call, std::move(arguments.event));
                               }));
}

} // namespace gasoline
