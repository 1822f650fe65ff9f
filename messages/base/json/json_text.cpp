#include "messages/base/json/json_text.hpp"

#include "messages/base/byte_words.hpp"
#include "messages/base/json/json_member.hpp"

#include <nlohmann/json.hpp>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

std::string library_dumped(const json& document) {
  return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Whether the byte stands as it is between the quotes of JSON.
constexpr bool stands(unsigned char c) {
  return c >= 0x20 && c != '"' && c != '\\' && c != 0x7F;
}

/// Whether all of eight bytes stand as they are.
bool all_stand(const char* bytes) {
  using namespace byte_words;
  const auto word = load(bytes);
  return (below(word, 0x20) | equal(word, '"') | equal(word, '\\') | equal(word, 0x7F)) == 0;
}

/// Whether both ways of writing a text give the same bytes.
bool is_plain(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size()) &&
         std::none_of(text.begin(), text.end(), [](char c) {
           const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
           return control && c != '\n' && c != '\r' && c != '\t';
         });
}

void append_dumped_string(std::string& out, const std::string& text) {
  if (is_plain(text))
    append_json_string(out, text);
  else
    out += library_dumped(text);
}

/// Writes as the library does. An answer is one long text, and the library looks every byte of it
/// up in three tables: 330,000 instructions for 8 KB where this takes 110,000.
void append_dumped(std::string& out, const json& value) {
  char separator = '{';
  switch (value.type()) {
  case json::value_t::object:
    for (const auto& [key, member] : value.get_ref<const json::object_t&>()) {
      out += std::exchange(separator, ',');
      append_dumped_string(out, key);
      out += ':';
      append_dumped(out, member);
    }
    out += separator == '{' ? "{}" : "}";
    return;
  case json::value_t::array:
    separator = '[';
    for (const auto& element : value) {
      out += std::exchange(separator, ',');
      append_dumped(out, element);
    }
    out += separator == '[' ? "[]" : "]";
    return;
  case json::value_t::string:
    append_dumped_string(out, value.get_ref<const std::string&>());
    return;
  case json::value_t::number_integer:
    out += std::to_string(value.get<std::int64_t>());
    return;
  case json::value_t::number_unsigned:
    out += std::to_string(value.get<std::uint64_t>());
    return;
  default:
    out += library_dumped(value);
  }
}

} // namespace

std::size_t first_escaped(std::string_view text, std::size_t begin) {
  while (begin + sizeof(std::uint64_t) <= text.size() && all_stand(text.data() + begin))
    begin += sizeof(std::uint64_t);
  while (begin < text.size() && stands(static_cast<unsigned char>(text[begin])))
    ++begin;
  return begin;
}

std::string dumped(const json& document) {
  std::string out;
  append_dumped(out, document);
  return out;
}

std::size_t json_nesting(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"')
      i = end_of_json_string(text, i);
    else if (c == '{' || c == '[')
      deepest = std::max(deepest, ++depth);
    else if ((c == '}' || c == ']') && depth > 0)
      --depth;
  }
  return deepest;
}

bool is_json_list(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '[';
}

json_excess excess_of(std::string_view text, const json_caps& caps) {
  const bool list = is_json_list(text);
  std::size_t depth = 0;
  std::size_t elements = 1;
  std::size_t values = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      i = end_of_json_string(text, i);
    } else if (c == '{' || c == '[') {
      if (++depth > caps.nesting)
        return json_excess::nesting;
      ++values;
    } else if (c == '}' || c == ']') {
      depth -= depth > 0 ? 1 : 0;
    } else if (c == ',' && list && depth == 1) {
      if (++elements > caps.elements)
        return json_excess::elements;
      values = 1;
    } else if (c == ',') {
      ++values;
    }
    if (values > caps.values)
      return json_excess::values;
  }
  return json_excess::none;
}

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  std::size_t plain = 0;
  for (auto i = first_escaped(text, 0); i < text.size(); i = first_escaped(text, plain)) {
    const auto c = static_cast<unsigned char>(text[i]);
    out.append(text, plain, i - plain);
    plain = i + 1;
    switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += hex[c >> 4U];
      out += hex[c & 0xFU];
    }
  }
  out.append(text, plain, text.size() - plain);
  out += '"';
}

void append_json_number(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  std::array<char, 32> buffer{};
  constexpr double without_thousandths = 1e15; // and what is larger by far would overflow
  const double rounded =
      std::abs(number) < without_thousandths ? std::round(number * 1000.0) / 1000.0 : number;
  const auto [end, ec] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), rounded);
  if (ec == std::errc{})
    out.append(buffer.data(), end);
  else
    out += "null";
}

void json_object_writer::key(std::string_view name) {
  if (!first_)
    out_ += ',';
  first_ = false;
  out_ += '"';
  out_ += name;
  out_ += "\":";
}

json_object_writer& json_object_writer::text(std::string_view k, std::string_view value) {
  key(k);
  append_json_string(out_, value);
  return *this;
}

json_object_writer& json_object_writer::number(std::string_view k, std::uint64_t value) {
  key(k);
  out_ += std::to_string(value);
  return *this;
}

json_object_writer& json_object_writer::number(std::string_view k, std::int32_t value) {
  key(k);
  out_ += std::to_string(value);
  return *this;
}

json_object_writer& json_object_writer::decimal(std::string_view k, double value) {
  key(k);
  append_json_number(out_, value);
  return *this;
}

json_object_writer& json_object_writer::boolean(std::string_view k, bool value) {
  key(k);
  out_ += value ? "true" : "false";
  return *this;
}

json_object_writer& json_object_writer::raw(std::string_view k, std::string_view json) {
  key(k);
  out_ += json;
  return *this;
}

json_object_writer& json_object_writer::members(std::string_view json) {
  if (json.empty())
    return *this;
  if (!first_)
    out_ += ',';
  first_ = false;
  out_ += json;
  return *this;
}

} // namespace gasoline
