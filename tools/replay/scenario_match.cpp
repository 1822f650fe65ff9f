#include "tools/replay/scenario_match.hpp"

#include "messages/base/json/json_text.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

std::string differs(const std::string& place, const std::string& wanted, const std::string& found) {
  return (place.empty() ? "message" : place.substr(1)) + ": expected " + wanted + ", got " + found;
}

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : dumped(value);
}

std::string operator_mismatch(const std::string& name, const json& operand, const json& found,
                              const std::string& place) {
  const auto contains = [&] { return text_of(found).find(text_of(operand)) != std::string::npos; };
  const bool ok = name == "$contains"       ? contains()
                  : name == "$not_contains" ? !contains()
                  : name == "$length"       ? found.size() == operand.get<std::size_t>()
                                            : false;
  return ok ? "" : differs(place, name + " " + dumped(operand), dumped(found));
}

bool is_operator(const json& wanted) {
  return wanted.is_object() && wanted.size() == 1 && wanted.begin().key().starts_with('$');
}

std::string object_mismatch(const json& wanted, const json& found, const std::string& place) {
  for (const auto& [key, value] : wanted.items()) {
    const auto member = found.find(key);
    const bool absent = is_operator(value) && value.contains("$absent");
    if (absent && member == found.end())
      continue;
    if (absent || member == found.end())
      return differs(place + "." + key, absent ? "nothing" : dumped(value),
                     absent ? dumped(*member) : "nothing");
    if (auto problem = mismatch(value, *member, place + "." + key); !problem.empty())
      return problem;
  }
  return {};
}

} // namespace

std::string mismatch(const json& wanted, const json& found, const std::string& place) {
  if (wanted.is_null())
    return {};
  if (is_operator(wanted))
    return operator_mismatch(wanted.begin().key(), wanted.begin().value(), found, place);
  if (wanted.is_object() && found.is_object())
    return object_mismatch(wanted, found, place);
  if (!wanted.is_array() || !found.is_array())
    return wanted == found ? "" : differs(place, dumped(wanted), dumped(found));
  if (wanted.size() > found.size())
    return differs(place, std::to_string(wanted.size()) + " elements", dumped(found));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (auto problem = mismatch(wanted[i], found[i], place + "." + std::to_string(i));
        !problem.empty())
      return problem;
  return {};
}

} // namespace gasoline
