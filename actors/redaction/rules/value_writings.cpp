#include "actors/redaction/rules/value_writings.hpp"

#include "messages/base/encoding/base64.hpp"
#include "messages/base/encoding/percent_encoding.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace gasoline::redaction {
namespace {

/// Percent-encoded, but for the unreserved characters and those of `kept`.
std::string escaped_but(std::string_view value, std::string_view kept) {
  std::string out;
  for (const char c : value)
    out += kept.find(c) == std::string_view::npos ? percent_encoded({&c, 1}) : std::string{c};
  return out;
}

/// As HTML forms are sent: in difference to addresses, `~` is escaped, and `*` is not.
std::string form_writing(std::string_view value) {
  std::string out;
  for (const char c : value)
    out += c == '~' ? "%7E" : escaped_but({&c, 1}, "*");
  return out;
}

/// With a text in place of each of these characters.
std::string with_names(std::string_view value,
                       std::initializer_list<std::pair<char, std::string_view>> names) {
  std::string out;
  for (const char c : value) {
    const auto* const name =
        std::find_if(names.begin(), names.end(), [c](const auto& each) { return each.first == c; });
    out += name == names.end() ? std::string{c} : std::string{name->second};
  }
  return out;
}

std::string base64_writing(std::string_view value) {
  auto out = base64_encoded(value);
  out.resize(out.find_last_not_of('=') + 1);
  return out;
}

} // namespace

std::vector<std::string> value_writings(std::string_view value) {
  constexpr std::string_view kept_by_scripts = "!'()*"; // encodeURIComponent
  const auto base64 = base64_writing(value);
  std::vector<std::string> out;
  for (auto& text :
       {std::string{value}, percent_encoded(value), escaped_but(value, kept_by_scripts),
        form_writing(value), with_names(value, {{'"', "\\\""}, {'\\', "\\\\"}}),
        with_names(value, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}}),
        with_names(value, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}}),
        with_names(
            value,
            {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}}),
        base64, with_names(base64, {{'+', "-"}, {'/', "_"}})})
    if (std::find(out.begin(), out.end(), text) == out.end())
      out.push_back(text);
  return out;
}

} // namespace gasoline::redaction
