#include "actors/mcp_tools/configure/alert_action.hpp"

#include "actors/base/age_text.hpp"
#include "messages/alerts/alert_command.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

using std::chrono::milliseconds;

/// `alert_12`, or its number; nothing: it is neither.
std::optional<std::uint64_t> read_id(tool_arguments& arguments, std::string_view text) {
  constexpr std::string_view prefix = "alert_";
  const auto digits = text.substr(0, prefix.size()) == prefix ? text.substr(prefix.size()) : text;
  std::uint64_t id = 0;
  const auto* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, id);
  if (error == std::errc{} && stopped == end && id > 0)
    return id;
  arguments.fail(R"(id must be that of an alert, such as "alert_12"; observe {"what":"alerts"} )"
                 "lists them.");
  return std::nullopt;
}

std::optional<milliseconds> read_end(tool_arguments& arguments, const std::string& text) {
  if (const auto age = parse_age(text))
    return age;
  if (const auto at = from_iso8601(text); at && *at > arguments.now())
    return std::chrono::duration_cast<milliseconds>(*at - arguments.now());
  arguments.fail("until must be a time from now such as 30m or 2h, or an ISO 8601 time that is "
                 "still to come; without it the fault is muted for as long as the engine runs.");
  return std::nullopt;
}

void do_with_alert(const tool_call& call, alert_command asked) {
  call.ask_engine<command_answer>(
      call.engine().alerts,
      [call](const command_answer& answer) {
        call.answer(answer.is_error ? error_result(answer.text) : text_result(answer.text));
      },
      alert_atom_v, call.client(), asked);
}

} // namespace

tool_mode alert_action() {
  tool_parameters<alert_command> parameters;
  parameters.parsed("id", &alert_command::id, read_id).needed(R"(: such as "alert_12".)");
  parameters.choice<alert_deed>("do", &alert_command::what)
      .needed(": acknowledge, mute or unmute.");
  parameters.parsed(
      "until", [](alert_command & out) -> auto& { return out.lasts; }, read_end);
  return make_mode("alert", "acknowledges an alert, or mutes its fault for you",
                   std::move(parameters), do_with_alert);
}

} // namespace gasoline
