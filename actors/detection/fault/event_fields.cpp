#include "actors/detection/fault/event_fields.hpp"

#include "actors/base/redacted_part.hpp"
#include "messages/base/json/json_member.hpp"

#include <algorithm>

namespace gasoline {
namespace {

/// Behind the string that begins at `begin`.
std::size_t string_end(std::string_view json, std::size_t begin) {
  return std::min(end_of_json_string(json, begin) + 1, json.size());
}

// The end of the value that begins at `i`: the next comma outside of strings and brackets.
std::size_t value_end(std::string_view json, std::size_t i) {
  if (i < json.size() && json[i] == '"') { // most are strings alone
    i = string_end(json, i);
    if (i == json.size() || json[i] == ',')
      return i;
  }
  std::size_t depth = 0;
  while (i < json.size()) {
    const char c = json[i];
    if (c == '"') {
      i = string_end(json, i);
      continue;
    }
    if (c == ',' && depth == 0)
      return i;
    if (c == '{' || c == '[')
      ++depth;
    else if ((c == '}' || c == ']') && depth > 0)
      --depth;
    ++i;
  }
  return json.size();
}

bool is_named(std::string_view fields, std::size_t key, std::size_t key_end,
              std::string_view name) {
  return key_end - key == name.size() + 2 && fields.substr(key + 1, name.size()) == name;
}

void append_escape(redacted_text& out, char c) {
  switch (c) {
  case '"':
    out += "\"";
    return;
  case '\\':
    out += "\\";
    return;
  case '/':
    out += "/";
    return;
  case 'n':
    out += "\n";
    return;
  default:
    out += " ";
  }
}

// `inside` is the text between the quotes of a JSON string.
redacted_text decoded(const redacted_text& fields, std::string_view inside) {
  redacted_text out;
  for (auto mark = inside.find('\\'); mark != std::string_view::npos && mark + 1 < inside.size();
       mark = inside.find('\\')) {
    out += part_of(fields, inside.substr(0, mark));
    append_escape(out, inside[mark + 1]);
    const std::size_t length = inside[mark + 1] == 'u' ? 6 : 2;
    inside.remove_prefix(std::min(mark + length, inside.size()));
  }
  out += part_of(fields, inside);
  return out;
}

} // namespace

std::string_view field_json(std::string_view fields, std::string_view name) {
  std::size_t i = 0;
  while (i < fields.size() && fields[i] == '"') {
    const auto key_end = string_end(fields, i);
    if (key_end >= fields.size() || fields[key_end] != ':')
      return {};
    const auto end = value_end(fields, key_end + 1);
    if (is_named(fields, i, key_end, name))
      return fields.substr(key_end + 1, end - key_end - 1);
    i = end + 1;
  }
  return {};
}

void for_each_field(std::string_view fields,
                    const std::function<void(std::string_view, std::string_view)>& visit) {
  std::size_t i = 0;
  while (i < fields.size() && fields[i] == '"') {
    const auto key_end = string_end(fields, i);
    if (key_end >= fields.size() || fields[key_end] != ':')
      return;
    const auto end = value_end(fields, key_end + 1);
    visit(fields.substr(i + 1, key_end - i - 2), fields.substr(key_end + 1, end - key_end - 1));
    i = end + 1;
  }
}

redacted_text field_text(const redacted_text& fields, std::string_view name) {
  const auto json = field_json(fields.view(), name);
  if (json.empty() || json == "null" || json[0] == '{' || json[0] == '[')
    return {};
  if (json[0] != '"')
    return part_of(fields, json);
  return decoded(fields, json.substr(1, json.size() - 2));
}

redacted_text field_members(const redacted_text& fields, std::string_view name) {
  const auto json = field_json(fields.view(), name);
  if (json.size() < 2 || json.front() != '{' || json.back() != '}')
    return {};
  return part_of(fields, json.substr(1, json.size() - 2));
}

} // namespace gasoline
