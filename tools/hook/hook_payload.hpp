#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// What is read of the document that a client gives its hook; everything else is passed over.
struct hook_payload {
  std::string client;       ///< whose document this plainly is; empty: it does not say
  std::string event;        ///< as the client calls it; empty: it does not say
  std::string conversation; ///< the client's id of it
  std::string directory;    ///< where the conversation works
  std::string source;       ///< of a beginning: `startup`, `resume`, `clear`, `compact`
  bool own_tool = false;    ///< the tool that just ran, or one of them, was our `observe`
  bool continues = false;   ///< the run goes on already because a hook said so
};

/// Reads a payload of any known client; nothing: it is no JSON object.
std::optional<hook_payload> parse_hook_payload(std::string_view text);

/// Whether a tool of that name is our `observe`, as some client calls it: `mcp__gasoline__observe`,
/// `gasoline-observe`, `gasoline/observe`, `observe`.
bool is_own_observe(std::string_view tool);

} // namespace gasoline
