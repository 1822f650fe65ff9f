#include "actors/mcp_tools/configure/stream_action.hpp"

#include "messages/streams/named_stream.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gasoline {
namespace {

enum class stream_change : std::uint8_t { unsubscribe, remove, purge };

} // namespace

template <>
struct enum_table<stream_change> {
  static constexpr std::array<std::pair<stream_change, std::string_view>, 3> rows{{
      {stream_change::unsubscribe, "unsubscribe"},
      {stream_change::remove, "delete"},
      {stream_change::purge, "purge"},
  }};
};

namespace {

struct stream_change_arguments {
  std::optional<stream_change> change; ///< set once they have been read
  std::string subscription;
  std::string stream;
};

tool_parameters<stream_change_arguments> stream_change_parameters() {
  const auto ends = [](const stream_change_arguments& arguments) {
    return arguments.change == stream_change::unsubscribe;
  };
  const auto names = [ends](const stream_change_arguments& arguments) {
    return arguments.change && !ends(arguments);
  };
  tool_parameters<stream_change_arguments> out;
  out.choice<stream_change>("stream_action", &stream_change_arguments::change)
      .needed("; use one of: " + all_names<stream_change>() + ".");
  out.text("subscription_id", &stream_change_arguments::subscription)
      .when(ends)
      .needed("; stream_subscribe answered it.");
  out.text("stream_name", &stream_change_arguments::stream)
      .when(names)
      .needed("; stream_status lists the streams.");
  return out;
}

stream_command command_of(const tool_call& call, const stream_change_arguments& arguments) {
  switch (*arguments.change) {
  case stream_change::unsubscribe:
    return end_subscription{call.client(), arguments.subscription};
  case stream_change::remove:
    return delete_stream{arguments.stream};
  case stream_change::purge:
    return purge_stream{arguments.stream};
  }
  return purge_stream{arguments.stream};
}

void change_stream(const tool_call& call, const stream_change_arguments& arguments) {
  call.ask_engine<stream_answer>(
      call.engine().streams,
      [call](const stream_answer& answer) {
        call.answer(answer.is_refusal() ? error_result(answer.text) : text_result(answer.text));
      },
      stream_atom_v, command_of(call, arguments), call.asker());
}

} // namespace

tool_mode stream_action() {
  return make_mode("stream", "ends a subscription, deletes or purges a stream",
                   stream_change_parameters(), change_stream);
}

} // namespace gasoline
