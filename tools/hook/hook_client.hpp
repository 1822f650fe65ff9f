#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What has just happened in the conversation that a hook belongs to.
enum class hook_moment : std::uint8_t {
  begin,  ///< of the conversation, or its continuation
  prompt, ///< the user has said something
  tool,   ///< a tool has answered
  stop    ///< the run would end; text makes it go on
};

/// Where a client looks for the text in what its hook prints.
enum class hook_form : std::uint8_t {
  specific,       ///< `hookSpecificOutput.additionalContext`, with `hookEventName`
  specific_block, ///< `hookSpecificOutput.decision: block` and `reason`
  context,        ///< `additionalContext`
  snake_context,  ///< `additional_context`
  modification,   ///< `contextModification`, with `cancel: false`
  plain,          ///< `context`: our own plugin reads it
  block,          ///< `decision: block` and `reason`
  deny,           ///< `decision: deny` and `reason`
  followup        ///< `followup_message`
};

/// One event of a client.
struct hook_event {
  std::string_view name;
  hook_moment moment;
  hook_form form;
};

/// A client that runs hooks.
struct hook_client {
  std::string_view name;
  std::vector<hook_event> events;
};

/// All clients whose hooks are understood.
const std::vector<hook_client>& hook_clients();

/// The client of that name; null: none.
const hook_client* find_hook_client(std::string_view name);

/// Its event of that name, whatever the case of the first letter; null: none.
const hook_event* find_hook_event(const hook_client& client, std::string_view name);

/// The one JSON object that the client takes the text from, with these keys and no others.
std::string hook_output(const hook_event& event, std::string_view text);

} // namespace gasoline
