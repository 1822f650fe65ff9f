#include "actors/redaction/rules/known_values.hpp"

#include "actors/redaction/rules/value_writings.hpp"

#include <algorithm>
#include <utility>

namespace gasoline::redaction {
namespace {

/// How seldom a character is in texts: the later here, the more common.
std::size_t commonness(char c) {
  constexpr std::string_view rare_first =
      "QXZJKVWYUGHBqzFjOPMLNxCDRIASTE7986543kvwb2y10_-gmpufhdlcsnroitae";
  const auto place = rare_first.find(c);
  return place == std::string_view::npos ? rare_first.size() : place;
}

} // namespace

known_values::known_values(const std::vector<std::string>& values) {
  for (const auto& each : values) {
    if (each.size() < shortest_known_value)
      continue;
    for (auto& text : value_writings(each)) {
      const auto anchor = std::min_element(
          text.begin(), text.end(), [](char a, char b) { return commonness(a) < commonness(b); });
      const auto place = static_cast<std::size_t>(anchor - text.begin());
      values_.push_back({std::move(text), place});
    }
  }
}

/// The offset of the value at or behind `from`.
std::size_t known_values::find(std::string_view text, const value& v, std::size_t from) {
  if (text.size() < from + v.text.size())
    return std::string_view::npos;
  const char sign = v.text[v.anchor];
  for (auto p = text.find(sign, from + v.anchor); p != std::string_view::npos;
       p = text.find(sign, p + 1)) {
    const std::size_t begin = p - v.anchor;
    if (text.substr(begin, v.text.size()) == v.text)
      return begin;
  }
  return std::string_view::npos;
}

bool known_values::occur_in(std::string_view text) const {
  return std::any_of(values_.begin(), values_.end(),
                     [&](const auto& v) { return find(text, v, 0) != std::string_view::npos; });
}

void known_values::apply(std::string& text, std::size_t begin, mask_log& log) const {
  for (const auto& v : values_)
    for (auto p = find(text, v, begin); p != std::string_view::npos;) {
      const auto shown = log.set("own-secret", "[REDACTED:own-secret]");
      text.replace(p, v.text.size(), shown);
      p = find(text, v, p + shown.size());
    }
}

} // namespace gasoline::redaction
