#pragma once

#include "config/values/user_error.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// A value of a JSON text, with its place in the text. Comments and commas after the last element
/// are allowed, as editors and agents write them.
struct json_node {
  enum class kind : std::uint8_t { object, array, string, other };

  struct member {
    std::string name;      ///< decoded; empty in an array
    std::size_t begin = 0; ///< of the name, or of the element
    std::size_t value = 0; ///< index in `json_tree::nodes`
    std::size_t comma = 0; ///< of the comma behind it; 0: there is none
  };

  kind type = kind::other;
  std::size_t begin = 0;
  std::size_t end = 0; ///< one past the last byte
  std::vector<member> members;
};

/// The syntax tree of a JSON text; offsets are bytes of that text.
struct json_tree {
  std::vector<json_node> nodes; ///< the first is the document
  const json_node& root() const { return nodes.front(); }
};

/// Reads a text; a byte order mark before it is passed over. The error says in which line what is
/// wrong. An empty text is an error, too.
result_or<json_tree> parse_json_tree(std::string_view text);

} // namespace gasoline
