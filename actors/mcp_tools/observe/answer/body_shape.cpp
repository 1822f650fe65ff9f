#include "actors/mcp_tools/observe/answer/body_shape.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/utf8.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>

namespace gasoline {
namespace {

constexpr std::size_t whole_body_bytes = 400;
constexpr std::size_t most_shape_bytes = 600;
constexpr std::size_t shape_text_bytes = 120; // of one text within a document
constexpr std::size_t shape_members = 24;
constexpr std::size_t shape_levels = 5;
constexpr std::size_t most_body_nesting = 64; // what nests deeper is no document to us

using body_json = nlohmann::ordered_json;

body_json shape_of_json(const body_json& value, std::size_t levels) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() <= shape_text_bytes)
      return value;
    return std::string{utf8_beginning(text, shape_text_bytes)} + "… [" +
           std::to_string(text.size()) + " bytes]";
  }
  if (!value.is_structured() || value.empty())
    return value;
  if (levels == 0)
    return value.is_array() ? "[…]" : "{…}";
  if (value.is_array()) {
    auto out = body_json::array({shape_of_json(value.front(), levels - 1)});
    if (value.size() > 1)
      out.push_back("… " + std::to_string(value.size() - 1) + " more");
    return out;
  }
  auto out = body_json::object();
  for (const auto& [name, member] : value.items()) {
    if (out.size() == shape_members) {
      out["…"] = std::to_string(value.size() - shape_members) + " more";
      break;
    }
    out[name] = shape_of_json(member, levels - 1);
  }
  return out;
}

std::string begun_body(std::string_view text, std::size_t all) {
  if (text.size() <= most_shape_bytes)
    return std::string{text};
  return std::string{utf8_beginning(text, most_shape_bytes)} + "… [" + std::to_string(all) +
         " bytes]";
}

} // namespace

std::string body_shape(std::string_view body) {
  if (body.size() <= whole_body_bytes)
    return std::string{body};
  if (json_nesting(body) > most_body_nesting)
    return begun_body(body, body.size());
  const auto value = body_json::parse(body, nullptr, false);
  if (!value.is_structured())
    return begun_body(body, body.size());
  using error_handler = nlohmann::json::error_handler_t;
  const auto shape =
      shape_of_json(value, shape_levels).dump(-1, ' ', false, error_handler::replace);
  return begun_body(shape, body.size());
}

} // namespace gasoline
