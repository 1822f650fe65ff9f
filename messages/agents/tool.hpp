#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace gasoline {

/// What a tool call answers, before the alert block is attached.
struct tool_result {
  std::string text;
  bool is_error = false;
};

/// A tool as `tools/list` shows it.
struct tool_definition {
  std::string_view name;
  std::string_view toolset; ///< the set it is listed with: core, streams, compat
  std::string_view title;
  std::string_view description;
  bool read_only = false;
  nlohmann::json input_schema;
};

} // namespace gasoline
