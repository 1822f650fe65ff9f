#include "actors/base/dom_values.hpp"

#include "messages/base/json/json_text.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace gasoline {

namespace dom = simdjson::dom;

void append_json(std::string& out, const dom::element& element) {
  switch (element.type()) {
  case dom::element_type::ARRAY: {
    out += '[';
    bool first = true;
    for (const auto child : dom::array{element.get_array()}) {
      if (!first)
        out += ',';
      first = false;
      append_json(out, child);
    }
    out += ']';
    return;
  }
  case dom::element_type::OBJECT: {
    out += '{';
    bool first = true;
    for (const auto field : dom::object{element.get_object()}) {
      if (!first)
        out += ',';
      first = false;
      append_json_string(out, field.key);
      out += ':';
      append_json(out, field.value);
    }
    out += '}';
    return;
  }
  case dom::element_type::STRING:
    append_json_string(out, std::string_view{element.get_string()});
    return;
  case dom::element_type::INT64:
    out += std::to_string(std::int64_t{element.get_int64()});
    return;
  case dom::element_type::UINT64:
    out += std::to_string(std::uint64_t{element.get_uint64()});
    return;
  case dom::element_type::DOUBLE:
    // As documents that come through MCP write it, so that both ways show the same text.
    out += dumped(double{element.get_double()});
    return;
  case dom::element_type::BOOL:
    out += bool{element.get_bool()} ? "true" : "false";
    return;
  case dom::element_type::NULL_VALUE:
    out += "null";
    return;
  }
}

std::string text_of(const dom::element& element) {
  if (std::string_view text; element.get_string().get(text) == simdjson::SUCCESS)
    return std::string{text};
  if (element.is_null())
    return {};
  std::string json;
  append_json(json, element);
  return json;
}

std::optional<double> number_of(const dom::element& element) {
  if (double d = 0; element.get_double().get(d) == simdjson::SUCCESS)
    return d;
  std::string_view text;
  if (element.get_string().get(text) != simdjson::SUCCESS || text.empty())
    return std::nullopt;
  double d = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), d);
  if (ec != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return d;
}

std::optional<wall_time> time_of(const dom::element& element) {
  if (std::string_view text; element.get_string().get(text) == simdjson::SUCCESS)
    return from_iso8601(text);
  double ms = 0;
  constexpr double year_10000_ms = 253402300800000.0;
  if (element.get_double().get(ms) != simdjson::SUCCESS || !(ms >= 0) || ms > year_10000_ms)
    return std::nullopt;
  return wall_time{std::chrono::milliseconds{static_cast<std::int64_t>(ms)}};
}

} // namespace gasoline
