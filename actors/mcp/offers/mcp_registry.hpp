#pragma once

#include "messages/mcp/tool.hpp"
#include "messages/telemetry/query.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

class request_context;

/// Serves one request. Answers exactly once, now or later, through the context.
using request_handler = std::function<void(const request_context&, const nlohmann::json&)>;

/// Finds the values that an argument can take, the most useful first, and hands them to `then`; on
/// trouble it fails the request instead.
using value_source = std::function<void(const request_context&,
                                        std::function<void(const std::vector<std::string>&)> then)>;

/// One thing that a tool does, for the guide: `selector: name`, and what it shows or does.
struct mcp_tool_mode {
  std::string_view selector;
  std::string_view name;
  std::string_view about;
};

/// A tool and what serves its calls; the handler gets the `arguments`, always an object.
struct mcp_tool {
  tool_definition shown;
  request_handler call;
  bool destructive = false;           ///< a call can delete what others read
  std::vector<mcp_tool_mode> modes{}; ///< empty: it does one thing
};

/// A resource as `resources/list` shows it, and what answers its text.
struct mcp_resource {
  std::string_view uri;
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view mime_type;
  std::optional<std::uint64_t> size; ///< bytes; empty: it changes
  request_handler read;              ///< gets `{"uri":…}`
};

/// A family of resources whose URIs differ in one variable: `prefix{variable}suffix`.
struct mcp_resource_template {
  std::string_view prefix;
  std::string_view variable;
  std::string_view suffix;
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::string_view mime_type;
  value_source values;  ///< null: there is nothing to propose
  request_handler read; ///< gets `{"uri":…,VARIABLE:…}`

  /// The template as RFC 6570 writes it.
  std::string uri_template() const;

  /// The variable's part of a URI of this family; empty when the URI belongs elsewhere.
  std::optional<std::string> value_in(std::string_view uri) const;
};

/// One argument of a prompt.
struct mcp_prompt_argument {
  std::string_view name;
  std::string_view description;
  bool required = false;
  value_source values; ///< null: there is nothing to propose
};

/// A prompt as `prompts/list` shows it; `get` has checked that the required arguments are there.
struct mcp_prompt {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  std::vector<mcp_prompt_argument> arguments;
  request_handler get; ///< gets the `arguments`, an object of strings
};

/// Everything that clients can list and use, in the order it is listed: one for all eras and
/// transports. Made at start, never changed.
struct mcp_registry {
  std::vector<mcp_tool> tools;
  std::vector<mcp_resource> resources;
  std::vector<mcp_resource_template> templates;
  std::vector<mcp_prompt> prompts;
  bool lists_change = false; ///< whether a list can change while the engine runs

  /// Null when there is none of that name.
  const mcp_tool* find_tool(std::string_view name) const;
  const mcp_prompt* find_prompt(std::string_view name) const;
  const mcp_resource* find_resource(std::string_view uri) const;
  const mcp_resource_template* find_template(std::string_view uri) const;

  /// The `tools` array of `tools/list` for these toolsets, with entries per buffer in
  /// `_meta.data_counts`.
  nlohmann::json listed_tools(const std::vector<std::string>& toolsets,
                              const data_counts& counts) const;

  /// The names of all tools, comma-separated.
  std::string tool_names() const;
};

} // namespace gasoline
