#include "actors/mcp_tools/streams/stream_answers.hpp"

#include <utility>

namespace gasoline {
namespace {

tool_result refused_as_json(std::string sentence) {
  return error_result(refused_stream(stream_outcome::invalid, sentence).text);
}

} // namespace

tool stream_tool(std::string_view name, std::string_view title, std::string_view description,
                 tool_mode mode) {
  tool out;
  out.name = name;
  out.toolset = "streams";
  out.title = title;
  out.description = description;
  out.refusal = refused_as_json;
  out.modes = {std::move(mode)};
  return out;
}

void answer_stream_call(const tool_call& call, const stream_answer& answer) {
  call.answer(answer.is_refusal() ? error_result(answer.text) : text_result(answer.text));
}

void run_stream_command(const tool_call& call, stream_command command) {
  call.ask_engine<stream_answer>(
      call.engine().streams,
      [call](const stream_answer& answer) { answer_stream_call(call, answer); }, stream_atom_v,
      std::move(command), call.asker());
}

} // namespace gasoline
