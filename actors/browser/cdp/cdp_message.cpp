#include "actors/browser/cdp/cdp_message.hpp"

namespace gasoline {

namespace dom = simdjson::dom;

std::optional<cdp_message> cdp_reader::read(const std::string& text) {
  dom::element root;
  if (parser_.parse(text).get(root) != simdjson::SUCCESS || !root.is_object())
    return std::nullopt;
  cdp_message out;
  out.id = static_cast<std::uint64_t>(number_at(root, "/id"));
  out.session = text_at(root, "/sessionId");
  out.method = text_at(root, "/method");
  out.problem = text_at(root, "/error/message");
  out.content = value_at(root, out.id != 0 ? "/result" : "/params").value_or(root);
  return out;
}

std::optional<dom::element> value_at(const dom::element& in, std::string_view place) {
  dom::element found;
  if (in.at_pointer(place).get(found) != simdjson::SUCCESS)
    return std::nullopt;
  return found;
}

std::string_view text_at(const dom::element& in, std::string_view place) {
  std::string_view text;
  const auto found = value_at(in, place);
  return found && found->get_string().get(text) == simdjson::SUCCESS ? text : std::string_view{};
}

double number_at(const dom::element& in, std::string_view place) {
  double number = 0;
  const auto found = value_at(in, place);
  return found && found->get_double().get(number) == simdjson::SUCCESS ? number : 0;
}

bool flag_at(const dom::element& in, std::string_view place) {
  bool flag = false;
  const auto found = value_at(in, place);
  return found && found->get_bool().get(flag) == simdjson::SUCCESS && flag;
}

std::optional<dom::array> list_at(const dom::element& in, std::string_view place) {
  dom::array list;
  const auto found = value_at(in, place);
  if (!found || found->get_array().get(list) != simdjson::SUCCESS)
    return std::nullopt;
  return list;
}

} // namespace gasoline
