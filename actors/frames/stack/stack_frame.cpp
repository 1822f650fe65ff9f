#include "actors/frames/stack/stack_frame.hpp"

#include "messages/base/letters.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace gasoline {
namespace {

constexpr std::string_view blanks = " \t\r";

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool take_start(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start))
    return false;
  text.remove_prefix(start.size());
  return true;
}

/// Takes `:NUMBER` from the end; 0 when there is none.
std::uint32_t take_number(std::string_view& text) {
  auto begin = text.size();
  while (begin > 0 && is_decimal(text[begin - 1]))
    --begin;
  if (begin == text.size() || begin == 0 || text[begin - 1] != ':')
    return 0;
  std::uint32_t number = 0;
  const auto read = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  if (read.ec != std::errc{})
    number = 0;
  text = text.substr(0, begin - 1);
  return number;
}

/// `https://`, `/srv/`, `C:\`, `C:/`.
bool begins_address(std::string_view text) {
  if (text.starts_with('/') || text.starts_with("node:"))
    return true;
  if (text.size() > 2 && is_letter(text[0]) && text[1] == ':' &&
      (text[2] == '\\' || text[2] == '/'))
    return true;
  const auto mark = text.find("://");
  if (mark == std::string_view::npos || mark == 0)
    return false;
  const auto scheme = text.substr(0, mark);
  return std::none_of(scheme.begin(), scheme.end(),
                      [](char c) { return c == ' ' || c == '/' || c == '@'; });
}

bool has_blank(std::string_view text) {
  // A search for one of three letters would look each letter of the text up in a list.
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
}

bool is_place(std::string_view text) {
  if (text.empty() || text[0] == '<' || text[0] == '[')
    return false;
  const bool positioned = without_position(text).size() != text.size();
  if (has_blank(text))
    return positioned && begins_address(text);
  return positioned || text.find("://") != std::string_view::npos;
}

/// What stands in the brackets that end the text; empty when they do not match.
std::string_view last_brackets(std::string_view text) {
  std::size_t depth = 0;
  for (auto i = text.size(); i > 0; --i) {
    const char c = text[i - 1];
    if (c == ')')
      ++depth;
    else if (c == '(' && --depth == 0)
      return text.substr(i, text.size() - i - 1);
  }
  return {};
}

/// `eval at f (PLACE), <anonymous>:1:2` is at that place; evals may be nested.
std::string_view outside_of_eval(std::string_view inside) {
  while (inside.starts_with("eval at ")) {
    const auto open = inside.find('(');
    const auto close = inside.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
      return {};
    inside = inside.substr(open + 1, close - open - 1);
  }
  return inside;
}

void set_place(stack_frame& frame, std::string_view place) {
  if (!is_place(place))
    return;
  frame.place = place;
  frame.file = place;
  const auto last = take_number(frame.file);
  const auto before = take_number(frame.file);
  frame.line = before > 0 ? before : last;
  frame.column = before > 0 ? last : 0;
}

/// Firefox: `https://host/a.js line 3 > eval:1:2` is at line 3 of that file.
void set_gecko_place(stack_frame& frame, std::string_view place) {
  constexpr std::string_view words = " line ";
  const auto outside = place.substr(0, place.find(" > "));
  const auto at = outside.rfind(words);
  if (outside.size() == place.size() || at == std::string_view::npos)
    return set_place(frame, place);
  set_place(frame, outside.substr(0, at));
  const auto number = outside.substr(at + words.size());
  if (!frame.place.empty())
    std::from_chars(number.data(), number.data() + number.size(), frame.line);
}

void set_function(stack_frame& frame, std::string_view name) {
  frame.async = take_start(name, "async ") || take_start(name, "async*");
  frame.function = ascii::trimmed(name, blanks);
}

/// `f (https://host/a.js:1:2)` or `https://host/a.js:1:2`, both behind `at `.
std::optional<stack_frame> v8_frame(std::string_view text) {
  stack_frame out;
  const auto inside = text.ends_with(')') ? last_brackets(text) : std::string_view{};
  if (!inside.empty()) {
    const auto before = static_cast<std::size_t>(inside.data() - text.data()) - 1;
    set_function(out, text.substr(0, before));
    set_place(out, outside_of_eval(inside));
    return out;
  }
  if (const auto open = text.rfind('(');
      open != std::string_view::npos) { // brackets that do not match
    set_function(out, text.substr(0, open));
    const auto rest = text.substr(open + 1);
    set_place(out, rest.substr(0, rest.find(')')));
    return out;
  }
  out.async = take_start(text, "async ");
  if (!begins_address(text)) {
    const auto space = text.rfind(' ');
    if (space != std::string_view::npos) {
      set_function(out, text.substr(0, space));
      text.remove_prefix(space + 1);
    }
  }
  set_place(out, text);
  return out;
}

/// `f@https://host/a.js:1:2`, or the place alone.
std::optional<stack_frame> gecko_frame(std::string_view text) {
  stack_frame out;
  const auto at = text.find('@');
  if (at == std::string_view::npos || text.find("://") < at) {
    set_gecko_place(out, text);
    return out.place.empty() ? std::nullopt : std::optional{out};
  }
  const auto place = text.substr(at + 1);
  set_function(out, text.substr(0, at));
  set_gecko_place(out, place);
  const bool native = place == "[native code]" && text.find(' ') >= at;
  return out.place.empty() && !native ? std::nullopt : std::optional{out};
}

/// `File "/srv/a.py", line 3, in f`
std::optional<stack_frame> python_frame(std::string_view text) {
  const auto quote = text.find('"');
  constexpr std::string_view words = ", line ";
  if (quote == std::string_view::npos || !text.substr(quote + 1).starts_with(words))
    return std::nullopt;
  stack_frame out;
  out.file = text.substr(0, quote);
  const auto number = text.substr(quote + 1 + words.size());
  const auto read = std::from_chars(number.data(), number.data() + number.size(), out.line);
  if (read.ec != std::errc{})
    return std::nullopt;
  out.place = out.file;
  constexpr std::string_view in = ", in ";
  if (const auto name = number.find(in); name != std::string_view::npos)
    out.function = number.substr(name + in.size());
  return out;
}

} // namespace

std::string_view without_position(std::string_view place) {
  const auto without_number = [](std::string_view text) {
    auto rest = text;
    take_number(rest);
    return rest;
  };
  return without_number(without_number(place));
}

std::optional<stack_frame> parse_frame(std::string_view line) {
  line = ascii::trimmed(line, blanks);
  if (take_start(line, "at ")) {
    auto frame = v8_frame(ascii::trimmed(line, blanks));
    const bool native = frame && frame->place.empty() && line.ends_with(')');
    return frame && (native || !frame->place.empty()) ? frame : std::nullopt;
  }
  if (take_start(line, "File \""))
    return python_frame(line);
  return gecko_frame(line);
}

} // namespace gasoline
