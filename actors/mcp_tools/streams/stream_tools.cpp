#include "actors/mcp_tools/streams/stream_tools.hpp"

#include "actors/mcp/client/alert_wait.hpp"
#include "actors/mcp/client/ask_engine.hpp"
#include "actors/mcp/client/client_timers.hpp"
#include "actors/mcp/client/client_tools.hpp"
#include "actors/mcp_tools/streams/stream_arguments.hpp"
#include "actors/mcp_tools/streams/stream_page_answer.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

json text_schema() {
  return {{"type", "string"}};
}

json described(std::string_view type, std::string_view description) {
  return {{"type", type}, {"description", description}};
}

json object_schema(json properties, json required) {
  json out{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty())
    out["required"] = std::move(required);
  return out;
}

json create_schema() {
  json types = json::array();
  for (const auto& row : enum_table<stream_type>::rows)
    types.push_back(row.second);
  return object_schema(
      {{"name", text_schema()},
       {"stream_type", {{"type", "string"}, {"enum", types}, {"default", "in_memory"}}},
       {"buffer_size", {{"type", "integer"}, {"minimum", 1}, {"default", default_buffer_size}}}},
      {"name"});
}

json publish_schema() {
  return object_schema({{"stream_name", text_schema()},
                        {"data", {{"description", "Any JSON value"}}},
                        {"event_type", {{"type", "string"}, {"default", default_event_type}}},
                        {"topic", text_schema()},
                        {"metadata", {{"type", "object"}}}},
                       {"stream_name", "data"});
}

json subscribe_schema() {
  return object_schema(
      {{"stream_name", text_schema()},
       {"topic", described("string", "orders.created, orders.*, orders.>; default * for all")},
       {"notify", described("boolean", "Also push events as notifications/message")}},
      {"stream_name"});
}

json status_schema() {
  return object_schema(
      {{"stream_name", described("string", "Default: all streams")}, {"cursor", text_schema()}},
      json::array());
}

void answer_refusal(const request_context& context, const user_error& problem) {
  answer_tool(context, {refused_stream(stream_outcome::invalid, problem.message).text, true});
}

void answer_stream_tool(const request_context& context, const stream_answer& answer) {
  answer_tool(context, {answer.text, answer.is_refusal()});
}

void run(const request_context& context, stream_command command) {
  ask_engine<stream_answer>(
      context, context.session()->state.env.streams,
      [context](const stream_answer& answer) { answer_stream_tool(context, answer); },
      stream_atom_v, std::move(command));
}

void call_create(const request_context& context, const json& arguments) {
  auto wanted = parse_stream_create(arguments, context.session()->state.env.limit);
  if (wanted)
    run(context, std::move(*wanted));
  else
    answer_refusal(context, wanted.error());
}

void call_publish(const request_context& context, const json& arguments) {
  auto e = parse_stream_publish(arguments);
  if (e)
    run(context, std::move(*e));
  else
    answer_refusal(context, e.error());
}

void call_subscribe(const request_context& context, const json& arguments) {
  auto wanted = parse_stream_subscribe(arguments);
  if (!wanted) {
    answer_refusal(context, wanted.error());
    return;
  }
  auto* self = context.session();
  ask_engine<stream_answer>(
      context, self->state.env.streams,
      [context](const stream_answer& answer) { answer_stream_tool(context, answer); },
      subscribe_atom_v,
      subscribe_stream{self->state.id, std::move(wanted->name), std::move(wanted->topic),
                       caf::actor_cast<caf::actor>(self), wanted->notifies});
}

void call_status(const request_context& context, const json& arguments) {
  auto wanted = parse_stream_status(arguments, context.session()->state.env.limit);
  if (!wanted) {
    answer_refusal(context, wanted.error());
    return;
  }
  ask_engine<stream_answer>(
      context, context.session()->state.env.streams,
      // A stream that is not there is an empty list, no error.
      [context](const stream_answer& answer) {
        answer_tool(context, {answer.text, false});
      },
      stream_atom_v, stream_command{std::move(*wanted)});
}

/// Shows progress until the call is answered.
void show_progress(const request_context& context, const alert_wait& wait) {
  auto* self = context.session();
  const auto step = wait.at(self->clock().now());
  if (step.over || !context.is_open())
    return;
  if (step.progressed)
    context.progress(static_cast<double>(step.progressed->count()),
                     static_cast<double>(wait.length().count()), "Waiting for an event.");
  start_timer(self, std::chrono::ceil<std::chrono::milliseconds>(step.next),
              [context, wait] { show_progress(context, wait); });
}

void begin_progress(const request_context& context, std::chrono::milliseconds length) {
  if (!context.wants_progress() || length.count() == 0)
    return;
  auto* self = context.session();
  show_progress(context,
                alert_wait{self->clock().now(), std::chrono::ceil<std::chrono::seconds>(length),
                           std::chrono::milliseconds{self->state.env.limit.client.progress_ms}});
}

void take_page(const request_context& context, const observe_stream_call& call,
               const stream_page& page) {
  const auto& state = context.session()->state;
  if (!context.is_open()) {
    caf::anon_send(state.env.streams, unread_atom_v, state.id, call.read.subscription, page.from,
                   page.to);
    return;
  }
  answer_with_alerts(context, stream_page_answer(call, page));
}

} // namespace

std::vector<mcp_tool> stream_tools() {
  return {
      {{"stream_create", "streams", "Create a stream",
        "Makes a named event stream that agents and programs share. sse streams are also served at "
        "GET /streams/NAME/events.",
        false, create_schema()},
       call_create},
      {{"stream_publish", "streams", "Publish an event",
        "Appends an event to a stream. Without topic it reaches every subscriber.", false,
        publish_schema()},
       call_publish},
      {{"stream_subscribe", "streams", "Subscribe to a stream",
        "From now on observe {what: stream, subscription_id} reads what is new; with wait_seconds "
        "it waits. Stream $alerts carries every alert, topic category.severity. End it with "
        "configure {action: stream}.",
        false, subscribe_schema()},
       call_subscribe},
      {{"stream_status", "streams", "Status of streams",
        "Subscribers, buffered events and topics of streams.", true, status_schema()},
       call_status},
  };
}

bool observes_stream(const json& arguments) {
  const auto what = arguments.find("what");
  return what != arguments.end() && *what == name_of(observe_what::stream);
}

void call_observe_stream(const request_context& context, const json& arguments) {
  auto* self = context.session();
  auto call = parse_observe_stream(arguments, self->state.env.limit);
  if (!call) {
    answer_tool(context, {call.error().message, true});
    return;
  }
  call->read.client = self->state.id;
  ask_engine<stream_page>(
      context, self->state.env.streams,
      [context, call = *call](const stream_page& page) { take_page(context, call, page); },
      read_atom_v, call->read);
  begin_progress(context, call->read.wait);
}

void call_stream_action(const request_context& context, stream_command command) {
  if (auto* ended = std::get_if<end_subscription>(&command))
    ended->client = context.session()->state.id;
  run(context, std::move(command));
}

} // namespace gasoline
