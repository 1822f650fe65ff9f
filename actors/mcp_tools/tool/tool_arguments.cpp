#include "actors/mcp_tools/tool/tool_arguments.hpp"

#include "messages/base/json/json_numbers.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/utf8.hpp"

#include <simdjson.h>

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

/// A wrong value is quoted back, but never at length.
std::string in_quotes(std::string_view value) {
  constexpr std::size_t longest = 60;
  return "'" + std::string{utf8_beginning(value, longest)} + (value.size() > longest ? "…'" : "'");
}

bool says_something(const nlohmann::json& value) {
  if (value.is_string())
    return !value.get_ref<const std::string&>().empty();
  if (value.is_boolean())
    return value.get<bool>();
  return value.is_number() ? value.get<double>() != 0 : !value.empty();
}

/// The object of that name in a JSON object, as it is written there; it may be written as a text.
std::optional<std::string> written_object(std::string_view object, std::string_view name) {
  simdjson::dom::parser parser;
  simdjson::dom::element value;
  if (object.empty() ||
      parser.parse(simdjson::padded_string{object})[name].get(value) != simdjson::SUCCESS)
    return std::nullopt;
  if (value.is_object())
    return simdjson::minify(value);
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS)
    return std::nullopt;
  simdjson::dom::parser inner;
  const auto exact = with_exact_numbers(text, 1);
  if (inner.parse(simdjson::padded_string{exact ? *exact : std::string{text}}).get(value) !=
          simdjson::SUCCESS ||
      !value.is_object())
    return std::nullopt;
  return simdjson::minify(value);
}

} // namespace

bool tool_arguments::has(std::string_view name) const {
  if (!arguments_.is_object())
    return false;
  const auto found = arguments_.find(name);
  return found != arguments_.end() && !found->is_null();
}

const nlohmann::json* tool_arguments::any(std::string_view name) {
  known_.emplace_back(name);
  if (!arguments_.is_object() || failed())
    return nullptr;
  const auto found = arguments_.find(name);
  return found == arguments_.end() ? nullptr : &*found;
}

const nlohmann::json* tool_arguments::find(std::string_view name) {
  const auto* value = any(name);
  return value && !value->is_null() ? value : nullptr;
}

std::optional<std::string> tool_arguments::text(std::string_view name) {
  const auto* value = find(name);
  if (!value)
    return std::nullopt;
  if (!value->is_string()) {
    fail(std::string{name} + " must be a string, not " + in_quotes(dumped(*value)) + ".");
    return std::nullopt;
  }
  return value->get<std::string>();
}

std::optional<std::string> tool_arguments::text_or_number(std::string_view name) {
  const auto* value = find(name);
  return value && value->is_number() ? dumped(*value) : text(name);
}

std::optional<std::int64_t> tool_arguments::integer(std::string_view name, std::int64_t min,
                                                    std::int64_t max) {
  const auto* value = find(name);
  if (!value)
    return std::nullopt;
  const bool whole =
      value->is_number_integer() ||
      (value->is_number_float() && value->get<double>() >= -9e15 && value->get<double>() <= 9e15 &&
       value->get<double>() ==
           static_cast<double>(static_cast<std::int64_t>(value->get<double>())));
  const bool too_big = value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX;
  const auto number = whole && !too_big ? value->get<std::int64_t>() : min - 1;
  if (number < min || number > max) {
    fail(std::string{name} + " must be a whole number from " + std::to_string(min) + " to " +
         std::to_string(max) + ", not " + in_quotes(dumped(*value)) + ".");
    return std::nullopt;
  }
  return number;
}

std::optional<bool> tool_arguments::boolean(std::string_view name) {
  const auto* value = find(name);
  if (!value)
    return std::nullopt;
  if (!value->is_boolean()) {
    fail(std::string{name} + " must be true or false, not " + in_quotes(dumped(*value)) + ".");
    return std::nullopt;
  }
  return value->get<bool>();
}

std::optional<std::vector<std::string>> tool_arguments::texts(std::string_view name) {
  const auto* value = find(name);
  if (!value)
    return std::nullopt;
  const auto list = value->is_array() ? *value : nlohmann::json::array({*value});
  std::vector<std::string> out;
  for (const auto& element : list) {
    if (!element.is_string()) {
      fail(std::string{name} + " must be a list of strings, not " + in_quotes(dumped(*value)) +
           ".");
      return std::nullopt;
    }
    out.push_back(element.get<std::string>());
  }
  return out;
}

std::optional<std::string> tool_arguments::object(std::string_view name, std::string_view example) {
  const auto* value = find(name);
  if (!value)
    return std::nullopt;
  if (!value->is_object()) {
    fail(std::string{name} + " must be an object, such as " + std::string{example} + ".");
    return std::nullopt;
  }
  return dumped(*value);
}

std::optional<std::string> tool_arguments::object_in_order(std::string_view name,
                                                           std::string_view example) {
  auto sorted = object(name, example);
  if (!sorted)
    return sorted;
  auto written = written_object(ordered_, name);
  return written ? written : sorted;
}

void tool_arguments::fail(std::string sentence) {
  if (problem_.empty())
    problem_ = std::move(sentence);
}

bool tool_arguments::is_known(std::string_view name) const {
  return std::find(known_.begin(), known_.end(), name) != known_.end();
}

std::string tool_arguments::unknown() const {
  std::string out;
  if (!arguments_.is_object())
    return out;
  for (const auto& item : arguments_.items())
    if (!is_known(item.key()))
      out += (out.empty() ? "" : ", ") + in_quotes(item.key());
  return out;
}

std::string_view tool_arguments::meant_unknown() const {
  if (!arguments_.is_object())
    return {};
  for (auto item = arguments_.begin(); item != arguments_.end(); ++item)
    if (!is_known(item.key()) && says_something(*item))
      return item.key();
  return {};
}

std::string tool_arguments::quoted(std::string_view value) {
  return in_quotes(value);
}

std::string tool_arguments::invalid_choice(std::string_view name, std::string_view value,
                                           std::string_view valid) {
  return std::string{name} + " " + in_quotes(value) +
         " is not valid; use one of: " + std::string{valid} + ".";
}

} // namespace gasoline
