#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// The text of that name in a request's `params` (or any JSON object); empty when it is missing or
/// no text.
inline std::optional<std::string> text_parameter(const nlohmann::json& params,
                                                 std::string_view name) {
  if (!params.is_object())
    return std::nullopt;
  const auto found = params.find(name);
  if (found == params.end() || !found->is_string())
    return std::nullopt;
  return found->get<std::string>();
}

} // namespace gasoline
