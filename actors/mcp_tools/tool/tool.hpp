#pragma once

#include "actors/mcp_tools/tool/tool_call.hpp"
#include "actors/mcp_tools/tool/tool_parameters.hpp"
#include "messages/mcp/tool.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// One thing that a tool does, such as `observe {what:"errors"}`.
struct tool_mode {
  std::string_view name;     ///< the value that selects it; empty: the tool does one thing only
  std::string_view about;    ///< one line of the guide: what it shows or does
  bool shows_alerts = false; ///< its answer lists the alerts itself, so no block comes along
  std::shared_ptr<const std::vector<shown_parameter>> parameters; ///< never null once made

  /// Reads the arguments and runs, or refuses the call.
  std::function<void(const tool_call&, tool_arguments&)> start;
};

/// A mode out of its parameters and what it does with them. Copies share both: tables of modes are
/// copied as they are put together, before the first answer of the program.
template <class Args, class Run>
tool_mode make_mode(std::string_view name, std::string_view about, tool_parameters<Args> parameters,
                    Run run) {
  tool_mode out;
  out.name = name;
  out.about = about;
  out.parameters = std::make_shared<const std::vector<shown_parameter>>(parameters.take_shown());
  out.start = [parameters = std::make_shared<const tool_parameters<Args>>(std::move(parameters)),
               run = std::move(run)](const tool_call& call, tool_arguments& arguments) {
    auto read = parameters->read(arguments);
    if (read)
      run(call, std::move(*read));
    else
      call.refuse(std::move(read.error().message));
  };
  return out;
}

/// A tool: how `tools/list` shows it and what serves its calls, in one declaration.
struct tool {
  std::string_view name;
  std::string_view toolset; ///< the set it is listed with: core, streams, compat
  std::string_view title;
  std::string_view description;
  bool read_only = false;
  bool destructive = false;    ///< a call can delete what others read
  bool carries_alerts = false; ///< the client's unread alerts come along with its answers
  tool_result (*refusal)(std::string sentence) = error_result; ///< of wrong arguments

  /// The parameter that selects the mode, and other names that are accepted for it. Empty: `modes`
  /// has one, without a name.
  std::vector<std::string_view> selector;
  /// What is meant by a value of it that other tools have, as words for `use …`; null: nobody
  /// knows.
  std::string_view (*meant)(std::string_view value) = nullptr;
  std::vector<tool_mode> modes; ///< in the order in which they are shown
};

/// The JSON schema of its arguments: the selector and the parameters of all modes. Where several
/// modes have a parameter of one name, the first one's schema is shown.
nlohmann::json input_schema(const tool& t);

/// Serves one call.
void run_tool(const tool& t, const request_context& request, const nlohmann::json& arguments);

} // namespace gasoline
