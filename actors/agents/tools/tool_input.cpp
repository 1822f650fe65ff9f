#include "actors/agents/tools/tool_input.hpp"

#include <algorithm>

namespace gasoline {

using nlohmann::json;

tool_input::tool_input(const json& input, std::initializer_list<std::string_view> known)
    : input_(input) {
  std::string valid;
  for (const auto name : known)
    valid += (valid.empty() ? "" : ", ") + std::string{name};
  if (!input.is_object()) {
    fault_ = "The input must be an object with " + valid + ".";
    return;
  }
  for (const auto& [key, value] : input.items())
    if (fault_.empty() && std::find(known.begin(), known.end(), key) == known.end())
      fault_ = "'" + key.substr(0, 40) + "' is not known; the input has " + valid + ".";
}

const json* tool_input::find(std::string_view name) const {
  if (!fault_.empty())
    return nullptr;
  const auto it = input_.find(std::string{name});
  return it == input_.end() || it->is_null() ? nullptr : &*it;
}

std::string tool_input::text(std::string_view name) {
  const auto* value = find(name);
  if (value != nullptr && value->is_string() && !value->get_ref<const std::string&>().empty())
    return value->get<std::string>();
  if (fault_.empty())
    fault_ = "'" + std::string{name} + "' is missing; it must be a string that is not empty.";
  return {};
}

std::string tool_input::text_or(std::string_view name, std::string_view fallback) {
  return find(name) == nullptr ? std::string{fallback} : text(name);
}

std::uint64_t tool_input::count(std::string_view name, std::uint64_t fallback, std::uint64_t most) {
  const auto* value = find(name);
  if (value == nullptr)
    return fallback;
  const std::uint64_t least = fallback == 0 ? 0 : 1;
  const bool whole = value->is_number_integer() && !(*value < 0);
  if (whole && value->get<std::uint64_t>() >= least && value->get<std::uint64_t>() <= most)
    return value->get<std::uint64_t>();
  fault_ = "'" + std::string{name} + "' must be a whole number from " + std::to_string(least) +
           " to " + std::to_string(most) + ".";
  return fallback;
}

} // namespace gasoline
