#include "actors/mcp_tools/streams/stream_arguments.hpp"

#include "messages/base/json_text.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

enum class stream_action : std::uint8_t { unsubscribe, remove, purge };

std::string needed_text(tool_arguments& args, std::string_view name, std::string_view advice) {
  auto value = args.text(name);
  if (!value || value->empty())
    args.fail(std::string{name} + " is missing" + std::string{advice});
  return std::move(value).value_or("");
}

void read_cursor(tool_arguments& args, stream_read& read) {
  const auto text = args.text("cursor");
  if (!text || text->empty())
    return;
  std::uint64_t id = 0;
  const auto* end = text->data() + text->size();
  const auto [at, ec] = std::from_chars(text->data() + 1, end, id);
  if (text->front() == 's' && text->size() > 1 && ec == std::errc{} && at == end)
    read.after = id;
  else
    args.fail("cursor must be the value that an earlier answer gave, unchanged; leave it out to "
              "read what is new.");
}

} // namespace

template <>
struct enum_table<stream_action> {
  static constexpr std::array<std::pair<stream_action, std::string_view>, 3> rows{{
      {stream_action::unsubscribe, "unsubscribe"},
      {stream_action::remove, "delete"},
      {stream_action::purge, "purge"},
  }};
};

result_or<create_stream> parse_stream_create(const json& arguments, const limits& limit) {
  tool_arguments args{arguments};
  create_stream out;
  out.name =
      needed_text(args, "name", ": 1 to 64 letters, digits, '_' and '-', such as order-events.");
  out.type = args.text("stream_type").value_or("");
  if (arguments.contains("stream_type") && out.type.empty())
    args.fail("stream_type must be one of: " + all_names<stream_type>() + ".");
  const auto most = static_cast<std::int64_t>(limit.stream.events);
  out.buffer_size = static_cast<std::uint64_t>(
      args.integer("buffer_size", 1, most).value_or(std::int64_t{default_buffer_size}));
  if (args.failed())
    return tl::unexpected(args.problem());
  return out;
}

result_or<publish_event> parse_stream_publish(const json& arguments) {
  tool_arguments args{arguments};
  publish_event out;
  out.stream = needed_text(args, "stream_name", "; stream_status lists the streams.");
  if (!arguments.contains("data"))
    args.fail("data is missing: any JSON value.");
  else
    out.data = dumped(arguments.at("data"));
  out.type = args.text("event_type").value_or("");
  out.topic = args.text("topic").value_or("");
  if (const auto metadata = arguments.find("metadata");
      metadata != arguments.end() && !metadata->is_null()) {
    if (metadata->is_object())
      out.metadata = dumped(*metadata);
    else
      args.fail("metadata must be an object, such as {\"source\":\"api\"}.");
  }
  if (args.failed())
    return tl::unexpected(args.problem());
  return out;
}

result_or<subscribe_arguments> parse_stream_subscribe(const json& arguments) {
  tool_arguments args{arguments};
  subscribe_arguments out;
  out.name = needed_text(args, "stream_name", "; stream_status lists the streams.");
  out.topic = args.text("topic").value_or("");
  out.notifies = args.boolean("notify").value_or(false);
  if (args.failed())
    return tl::unexpected(args.problem());
  return out;
}

result_or<show_streams> parse_stream_status(const json& arguments, const limits& limit) {
  tool_arguments args{arguments};
  show_streams out;
  out.name = args.text("stream_name");
  out.after = args.text("cursor").value_or("");
  out.max_bytes = limit.result.bytes;
  if (args.failed())
    return tl::unexpected(args.problem());
  return out;
}

result_or<stream_command> parse_stream_action(tool_arguments& args) {
  const auto action = args.choice<stream_action>("stream_action");
  if (!action)
    args.fail("stream_action is missing; use one of: " + all_names<stream_action>() + ".");
  if (args.failed())
    return tl::unexpected(args.problem());
  stream_command out;
  switch (*action) {
  case stream_action::unsubscribe:
    out = end_subscription{0,
                           needed_text(args, "subscription_id", "; stream_subscribe answered it.")};
    break;
  case stream_action::remove:
    out = delete_stream{needed_text(args, "stream_name", "; stream_status lists the streams.")};
    break;
  case stream_action::purge:
    out = purge_stream{needed_text(args, "stream_name", "; stream_status lists the streams.")};
    break;
  }
  if (args.failed())
    return tl::unexpected(args.problem());
  return out;
}

result_or<observe_stream_call> parse_observe_stream(const json& arguments, const limits& limit) {
  tool_arguments args{arguments};
  observe_stream_call out;
  auto& read = out.read;
  args.text("what");
  read.subscription =
      needed_text(args, "subscription_id", ": stream_subscribe {stream_name, topic} answers one.");
  read_cursor(args, read);
  const auto number = [&](std::string_view name, std::int64_t least, std::uint64_t most,
                          std::uint64_t usual) {
    return static_cast<std::uint64_t>(args.integer(name, least, static_cast<std::int64_t>(most))
                                          .value_or(static_cast<std::int64_t>(usual)));
  };
  read.limit = number("limit", 1, limit.result.max_items, limit.result.items);
  read.max_bytes = number("max_bytes", 1024, limit.result.max_bytes, limit.result.bytes);
  read.wait = std::chrono::seconds{number("wait_seconds", 0, limit.client.wait_seconds, 0)};
  if (args.failed())
    return tl::unexpected(args.problem());
  out.ignored = args.unknown();
  return out;
}

} // namespace gasoline
