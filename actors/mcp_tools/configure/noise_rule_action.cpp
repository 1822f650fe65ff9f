#include "actors/mcp_tools/configure/noise_rule_action.hpp"

#include "messages/telemetry/noise.hpp"

#include <string>
#include <utility>

namespace gasoline {
namespace {

void check_rule(tool_arguments& arguments, const noise_command& command,
                const limits::noise_limits& limit) {
  if (command.action == noise_action::add && command.pattern.empty())
    arguments.fail(
        "pattern is missing: an RE2 expression that is searched in the field (message, url or "
        "stack).");
  if (command.pattern.size() > limit.pattern_bytes)
    arguments.fail("pattern may have at most " + std::to_string(limit.pattern_bytes) + " bytes.");
  if (command.reason.size() > limit.reason_bytes)
    arguments.fail("reason may have at most " + std::to_string(limit.reason_bytes) + " bytes.");
  if (command.action == noise_action::remove && command.rule_id.empty())
    arguments.fail("rule_id is missing; noise_action list shows the ids.");
}

tool_parameters<noise_command> noise_parameters(const limits::noise_limits& limit) {
  tool_parameters<noise_command> out;
  out.choice<noise_action>("noise_action", &noise_command::action)
      .needed("; use one of: " + all_names<noise_action>() + ".");
  out.text("pattern", &noise_command::pattern).about("Noise rule: RE2 expression");
  out.choice<noise_field>("field", &noise_command::field);
  out.text("reason", &noise_command::reason);
  out.text("rule_id", &noise_command::rule_id);
  out.check([limit](tool_arguments& arguments, const noise_command& command) {
    check_rule(arguments, command, limit);
  });
  return out;
}

void change_rules(const tool_call& call, noise_command command) {
  command.added_by = call.client_name();
  command.reason = call.redacted(command.reason);
  call.ask_engine<command_answer>(
      call.engine().noise,
      [call](const command_answer& answer) {
        call.answer(answer.is_error ? error_result(answer.text) : text_result(answer.text));
      },
      noise_atom_v, std::move(command));
}

} // namespace

tool_mode noise_rule_action(const limits_of<noise_room>& limit) {
  return make_mode("noise_rule", "hides what is irrelevant: add, remove, list, reset, auto_detect",
                   noise_parameters(limit.noise), change_rules);
}

} // namespace gasoline
