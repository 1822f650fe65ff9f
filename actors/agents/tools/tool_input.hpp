#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace gasoline {

/// Reads the input of one tool call of a model. The first problem is kept as a sentence that says
/// what is valid; later reads then answer the fallback.
class tool_input {
 public:
  /// `input` must outlive this; keys that are not in `known` are a problem.
  tool_input(const nlohmann::json& input, std::initializer_list<std::string_view> known);

  /// A string that is not empty.
  std::string text(std::string_view name);

  /// The same, or a fallback when it is not there.
  std::string text_or(std::string_view name, std::string_view fallback);

  /// A whole number up to `most`; at least 1 unless the fallback is 0.
  std::uint64_t count(std::string_view name, std::uint64_t fallback, std::uint64_t most);

  /// The first problem; empty: none.
  const std::string& fault() const { return fault_; }

 private:
  const nlohmann::json* find(std::string_view name) const;

  const nlohmann::json& input_;
  std::string fault_;
};

} // namespace gasoline
