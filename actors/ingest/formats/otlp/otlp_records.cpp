#include "actors/ingest/formats/otlp/otlp_records.hpp"

#include "messages/base/encoding/base64.hpp"
#include "messages/base/encoding/hex.hpp"
#include "messages/base/utf8.hpp"

#include <simdjson.h>

#include <algorithm>

namespace gasoline {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::size_t trace_bytes = 16;
constexpr std::size_t span_bytes = 8;

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return hex_digit(c) >= 0; });
}

} // namespace

const otlp_value* find_attribute(const otlp_attributes& attributes, std::string_view key) {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const otlp_attribute& a) { return a.key == key; });
  return found == attributes.end() ? nullptr : &found->value;
}

std::string_view attribute_text(const otlp_attributes& attributes, std::string_view key) {
  const auto* value = find_attribute(attributes, key);
  return value != nullptr && value->kind == otlp_value::type::text ? value->text
                                                                   : std::string_view{};
}

otlp_id otlp_id::of_bytes(std::string_view bytes) {
  otlp_id out;
  if (bytes.size() != trace_bytes && bytes.size() != span_bytes)
    return out;
  if (bytes.find_first_not_of('\0') == std::string_view::npos)
    return out;
  write_hex(bytes, out.digits_.data());
  out.size_ = 2 * bytes.size();
  return out;
}

otlp_id otlp_id::of_json(std::string_view text) {
  constexpr std::size_t longest_base64 = 24;
  if ((text.size() != 2 * trace_bytes && text.size() != 2 * span_bytes) || !is_hex(text))
    return text.size() > longest_base64 ? otlp_id{} : of_bytes(base64_decoded(text).value_or(""));
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2)
    bytes += static_cast<char>(hex_digit(text[i]) * 16 + hex_digit(text[i + 1]));
  return of_bytes(bytes);
}

std::string_view otlp_scratch::valid(std::string_view text) {
  // Most texts are short and ASCII; the library takes longer to begin.
  if (is_ascii(text) || simdjson::validate_utf8(text.data(), text.size()))
    return text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto step = read_utf8(text, at);
    out += step.valid ? text.substr(at, step.length) : replacement;
    at += step.length;
  }
  return keep(std::move(out));
}

} // namespace gasoline
