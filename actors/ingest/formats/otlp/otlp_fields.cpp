#include "actors/ingest/formats/otlp/otlp_fields.hpp"

#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t longest_otlp_key = 128;

bool is_told_otherwise(std::string_view key) {
  return key == "exception.type" || key == "exception.message" || key == "exception.stacktrace";
}

void append_value(std::string& out, const otlp_value& value, const decode_context& context) {
  const auto most = context.limit.entry.field_bytes;
  switch (value.kind) {
  case otlp_value::type::none:
    out += "null";
    return;
  case otlp_value::type::text:
    if (value.text.size() <= most)
      append_json_string(out, value.text);
    else
      append_json_string(out, context.cutter.cut(value.text, most));
    return;
  case otlp_value::type::boolean:
    out += value.boolean ? "true" : "false";
    return;
  case otlp_value::type::integer:
    out += std::to_string(value.integer);
    return;
  case otlp_value::type::number:
    append_json_number(out, value.number);
    return;
  case otlp_value::type::json:
    if (value.text.size() <= most)
      out += value.text;
    else
      append_json_string(out, context.cutter.cut_json(value.text, most));
    return;
  }
}

} // namespace

void otlp_fields::key(std::string_view name) {
  if (!out_.empty() && out_.back() != '{')
    out_ += ',';
  if (name.size() <= longest_otlp_key)
    append_json_string(out_, name);
  else
    append_json_string(out_, context_.cutter.cut(name, longest_otlp_key));
  out_ += ':';
}

void otlp_fields::reserve(const otlp_attributes& attributes) {
  constexpr std::size_t ids = sizeof R"("trace_id":"","span_id":"",)" + 32 + 16;
  constexpr std::size_t marks = sizeof R"("":"",)";
  constexpr std::size_t number = 20;
  auto expected = out_.size() + ids + sizeof R"("attributes":{})";
  for (const auto& [key, value] : attributes)
    expected += key.size() + marks + std::max(value.text.size(), number);
  out_.reserve(std::min<std::size_t>(expected, 4 * context_.limit.entry.field_bytes));
}

void otlp_fields::ids(const otlp_id& trace, const otlp_id& span) {
  for (const auto& [name, id] : {std::pair{std::string_view{R"("trace_id":")"}, trace.view()},
                                 std::pair{std::string_view{R"("span_id":")"}, span.view()}}) {
    if (id.empty())
      continue;
    if (!out_.empty())
      out_ += ',';
    out_.append(name).append(id) += '"';
  }
}

void otlp_fields::text(std::string_view key, std::string_view value) {
  if (value.empty())
    return;
  this->key(key);
  append_value(out_, {.kind = otlp_value::type::text, .text = value}, context_);
}

void otlp_fields::number(std::string_view key, std::int64_t value) {
  this->key(key);
  out_ += std::to_string(value);
}

void otlp_fields::attributes(const otlp_attributes& attributes) {
  const auto most = 4 * context_.limit.entry.field_bytes;
  const auto before = out_.size();
  std::int64_t dropped = 0;
  key("attributes");
  out_ += '{';
  const auto empty = out_.size();
  for (const auto& attribute : attributes) {
    if (is_told_otherwise(attribute.key) || attribute.value.kind == otlp_value::type::none)
      continue;
    const auto end = out_.size();
    key(attribute.key);
    append_value(out_, attribute.value, context_);
    if (out_.size() <= most)
      continue;
    out_.resize(end);
    ++dropped;
  }
  if (out_.size() == empty && dropped == 0) {
    out_.resize(before);
    return;
  }
  out_ += '}';
  if (dropped > 0)
    number("_dropped_fields", dropped);
}

std::string text_of_value(const otlp_value& value, const decode_context& context,
                          std::size_t bytes) {
  if (value.kind == otlp_value::type::text)
    return context.cutter.cut(value.text, bytes);
  if (value.kind == otlp_value::type::json)
    return context.cutter.cut_json(value.text, bytes);
  if (value.kind == otlp_value::type::none)
    return {};
  std::string out;
  append_value(out, value, context);
  return out;
}

std::optional<std::int64_t> whole_number(const otlp_value* value) {
  if (value == nullptr)
    return std::nullopt;
  if (value->kind == otlp_value::type::integer)
    return value->integer;
  if (value->kind != otlp_value::type::text)
    return std::nullopt;
  std::int64_t out = 0;
  const auto* end = value->text.data() + value->text.size();
  const auto [at, error] = std::from_chars(value->text.data(), end, out);
  return error == std::errc{} && at == end ? std::optional{out} : std::nullopt;
}

} // namespace gasoline
