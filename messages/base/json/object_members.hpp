#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace gasoline {

/// What the object has under that key; null when it has nothing there or is no object.
inline const nlohmann::json& json_member(const nlohmann::json& object, const char* key) {
  static const nlohmann::json none;
  if (!object.is_object())
    return none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

/// The same, if it is a string; else empty.
inline std::string text_member(const nlohmann::json& object, const char* key) {
  const auto& value = json_member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string{};
}

/// The same, if it is an array; else an empty one.
inline const nlohmann::json& list_member(const nlohmann::json& object, const char* key) {
  static const auto none = nlohmann::json::array();
  const auto& value = json_member(object, key);
  return value.is_array() ? value : none;
}

} // namespace gasoline
