#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gasoline {

/// A text of a tool's answer.
struct text_block {
  std::string text;
};

/// An image of a tool's answer.
struct image_block {
  std::string data; ///< base64
  std::string mime_type;
};

/// A resource that a tool's answer points to.
struct link_block {
  std::string uri;
  std::string name;
  std::string mime_type;
  std::string description{}; ///< may be empty
};

using content_block = std::variant<text_block, image_block, link_block>;

/// What a tool call answers.
struct tool_result {
  std::vector<content_block> content;
  bool is_error = false;
  /// Room for the unread alerts that come along; nothing: as much as they usually may have.
  std::optional<std::uint64_t> alert_bytes{};
};

inline tool_result text_result(std::string text) {
  return {{text_block{std::move(text)}}, false, std::nullopt};
}

inline tool_result error_result(std::string sentence) {
  return {{text_block{std::move(sentence)}}, true, std::nullopt};
}

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
