#include "actors/mcp_tools/streams/stream_status_tool.hpp"

#include "actors/mcp_tools/streams/stream_answers.hpp"
#include "messages/streams/named_stream.hpp"

#include <utility>

namespace gasoline {
namespace {

tool_parameters<show_streams> status_parameters(const limits_of<result_room>& limit) {
  show_streams usual;
  usual.max_bytes = limit.result.bytes;
  tool_parameters<show_streams> out{usual};
  out.text("stream_name", &show_streams::name).about("Default: all streams");
  out.text("cursor", &show_streams::after);
  return out;
}

void show_status_of(const tool_call& call, show_streams wanted) {
  call.ask_engine<stream_answer>(
      call.engine().streams,
      // A stream that is not there is an empty list, no error.
      [call](const stream_answer& answer) { call.answer(text_result(answer.text)); }, stream_atom_v,
      stream_command{std::move(wanted)}, call.asker());
}

} // namespace

tool stream_status_tool(const limits_of<result_room>& limit) {
  auto out = stream_tool(
      "stream_status", "Status of streams", "Subscribers, buffered events and topics of streams.",
      make_mode("", "lists the streams", status_parameters(limit), show_status_of));
  out.read_only = true;
  return out;
}

} // namespace gasoline
