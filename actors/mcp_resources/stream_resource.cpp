#include "actors/mcp_resources/stream_resource.hpp"

#include "actors/mcp/client/request_context.hpp"
#include "actors/mcp/offers/mcp_resources.hpp"
#include "actors/mcp/protocol/resource_subscriptions.hpp"
#include "messages/base/presentable_text.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

void read_stream_resource(const request_context& context, const json& parameters) {
  const auto name = parameters.at("name").get<std::string>();
  const auto uri = parameters.at("uri").get<std::string>();
  context.ask_engine<stream_answer>(
      context.engine().streams,
      [context, uri](const stream_answer& answer) {
        if (answer.is_refusal())
          fail_not_found(context, uri);
        else
          answer_text_resource(context, uri, json_media_type, labelled_document(answer.text));
      },
      stream_atom_v, stream_command{show_stream_events{name, context.limit().result.bytes}},
      context.asker());
}

void stream_names(const request_context& context,
                  std::function<void(const std::vector<std::string>&)> then) {
  context.ask_engine<std::vector<std::string>>(context.engine().streams, std::move(then),
                                               list_atom_v, context.asker());
}

} // namespace

mcp_resource_template stream_resources() {
  return {stream_resource_prefix,
          "name",
          "",
          "stream",
          "One named stream",
          "Status and newest events of a stream, such as gasoline://streams/order-events.",
          json_media_type,
          stream_names,
          read_stream_resource};
}

} // namespace gasoline
