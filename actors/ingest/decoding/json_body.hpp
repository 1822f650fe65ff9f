#pragma once

#include "config/values/user_error.hpp"

#include <simdjson.h>

#include <cstdint>
#include <string>

namespace gasoline {

/// Parses JSON bodies one after the other, with the memory of the last for the next.
class json_body {
 public:
  /// `depth`: the most levels of nesting.
  explicit json_body(std::uint64_t depth) : depth_(depth) {}

  /// Parses in place; what no parser takes is repaired first (ill-formed UTF-8, lone surrogates).
  /// The element lives as long as `text` and until the next call. The error is a sentence for the
  /// sender: no JSON, or nested too deeply.
  result_or<simdjson::dom::element> parse(std::string& text);

 private:
  simdjson::error_code parse_once(std::string& text, simdjson::dom::element& root);

  std::uint64_t depth_;
  simdjson::dom::parser parser_;
};

} // namespace gasoline
