#include "actors/mcp_tools/streams/stream_create_tool.hpp"

#include "actors/mcp_tools/streams/stream_answers.hpp"
#include "messages/streams/named_stream.hpp"

#include <string>
#include <utility>

namespace gasoline {
namespace {

/// Which type names are valid is for the registry of streams to say.
void check_type(tool_arguments& arguments, const create_stream& read) {
  if (arguments.has("stream_type") && read.type.empty())
    arguments.fail("stream_type must be one of: " + all_names<stream_type>() + ".");
}

tool_parameters<create_stream> create_parameters(const limits_of<stream_room>& limit) {
  create_stream usual;
  usual.buffer_size = default_buffer_size;
  tool_parameters<create_stream> out{usual};
  out.text("name", &create_stream::name)
      .needed(": 1 to 64 letters, digits, '_' and '-', such as order-events.");
  out.text("stream_type", &create_stream::type)
      .shows("enum", enum_names<stream_type>())
      .shows("default", "in_memory")
      .check(check_type);
  out.integer("buffer_size", &create_stream::buffer_size, 1, limit.stream.events)
      .shows("minimum", 1)
      .shows("default", default_buffer_size);
  return out;
}

} // namespace

tool stream_create_tool(const limits_of<stream_room>& limit) {
  return stream_tool(
      "stream_create", "Create a stream",
      "Makes a named event stream that agents and programs share. sse streams are also served at "
      "GET /streams/NAME/events.",
      make_mode("", "makes a stream", create_parameters(limit),
                [](const tool_call& call, create_stream wanted) {
                  run_stream_command(call, std::move(wanted));
                }));
}

} // namespace gasoline
