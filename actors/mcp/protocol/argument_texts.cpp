#include "actors/mcp/protocol/argument_texts.hpp"

#include "messages/base/json/json_numbers.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace gasoline {
namespace {

using nlohmann::json;

/// The types of JSON Schema that a text can stand for.
struct schema_type {
  std::string_view name;
  bool (json::*is)() const noexcept;
};

constexpr schema_type types[] = {
    {"array", &json::is_array},    {"object", &json::is_object},   {"number", &json::is_number},
    {"integer", &json::is_number}, {"boolean", &json::is_boolean},
};

const schema_type* find_type(const json& schema) {
  const auto name = schema.is_object() ? schema.find("type") : schema.end();
  if (!schema.is_object() || name == schema.end())
    return nullptr;
  const auto* row = std::find_if(std::begin(types), std::end(types),
                                 [&](const schema_type& t) { return *name == t.name; });
  return row == std::end(types) ? nullptr : row;
}

/// JSON allows white space around a value; a text with it is rather prose.
bool is_padded(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  return text.empty() || blanks.find(text.front()) != std::string_view::npos ||
         blanks.find(text.back()) != std::string_view::npos;
}

void read_text(json& value, const schema_type& type, const limits_of<client_room>& limit) {
  if (!value.is_string())
    return;
  const auto& text = value.get_ref<const std::string&>();
  if (is_padded(text) || json_nesting(text) > limit.client.rpc_depth)
    return;
  const auto exact = with_exact_numbers(text, 1);
  auto parsed = json::parse(exact ? *exact : text, nullptr, false);
  if ((parsed.*type.is)())
    value = std::move(parsed);
}

} // namespace

void read_argument_texts(json& arguments, const json& input_schema,
                         const limits_of<client_room>& limit) {
  const auto properties = input_schema.find("properties");
  if (properties == input_schema.end())
    return;
  for (auto& [name, value] : arguments.items())
    if (const auto schema = properties->find(name); schema != properties->end())
      if (const auto* type = find_type(*schema))
        read_text(value, *type, limit);
}

void read_arguments_text(json& arguments, const limits_of<client_room>& limit) {
  constexpr schema_type object{"object", &json::is_object};
  read_text(arguments, object, limit);
}

} // namespace gasoline
