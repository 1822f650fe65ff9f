#include "actors/mcp_tools/streams/stream_subscribe_tool.hpp"

#include "actors/mcp_tools/streams/stream_answers.hpp"
#include "messages/streams/named_stream.hpp"

#include <string>
#include <utility>

namespace gasoline {
namespace {

struct subscribe_arguments {
  std::string name;
  std::string topic;
  bool notifies = false;
};

tool_parameters<subscribe_arguments> subscribe_parameters() {
  tool_parameters<subscribe_arguments> out;
  out.text("stream_name", &subscribe_arguments::name).needed(missing_stream);
  out.text("topic", &subscribe_arguments::topic)
      .about("orders.created, orders.*, orders.>; default * for all");
  out.boolean("notify", &subscribe_arguments::notifies)
      .about("Also push events as notifications/message");
  return out;
}

void subscribe(const tool_call& call, subscribe_arguments wanted) {
  call.ask_engine<stream_answer>(
      call.engine().streams,
      [call](const stream_answer& answer) { answer_stream_call(call, answer); }, subscribe_atom_v,
      subscribe_stream{call.client(), std::move(wanted.name), std::move(wanted.topic),
                       call.client_handle(), wanted.notifies, call.asker()});
}

} // namespace

tool stream_subscribe_tool() {
  return stream_tool(
      "stream_subscribe", "Subscribe to a stream",
      "From now on observe {what: stream, subscription_id} reads what is new; with wait_seconds "
      "it waits. Stream $alerts carries every alert, topic category.severity. End it with "
      "configure {action: stream}.",
      make_mode("", "subscribes", subscribe_parameters(), subscribe));
}

} // namespace gasoline
