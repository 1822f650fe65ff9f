#include "actors/detection/stack_frames.hpp"

#include "actors/base/url_pieces.hpp"

#include <algorithm>

namespace gasoline {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const auto last = text.find_last_not_of(blanks);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

std::string_view without_number(std::string_view text) {
  auto end = text.size();
  while (end > 0 && is_decimal(text[end - 1]))
    --end;
  if (end == text.size() || end == 0 || text[end - 1] != ':')
    return text;
  return text.substr(0, end - 1);
}

bool is_place(std::string_view text) {
  if (text.empty() || text.find_first_of(blanks) != std::string_view::npos || text[0] == '<')
    return false;
  return text.find("://") != std::string_view::npos || without_number(text) != text;
}

// `at f (https://host/a.js:1:2)` or `at https://host/a.js:1:2`
std::string_view v8_place(std::string_view line) {
  line.remove_prefix(3);
  const auto open = line.rfind('(');
  if (open == std::string_view::npos) {
    const auto space = line.rfind(' ');
    return space == std::string_view::npos ? line : line.substr(space + 1);
  }
  const auto inside = line.substr(open + 1);
  return inside.substr(0, inside.find(')'));
}

// `f@https://host/a.js:1:2`, or the place alone
std::string_view gecko_place(std::string_view line) {
  const auto at = line.find('@');
  if (at == std::string_view::npos || line.find("://") < at)
    return line;
  return line.substr(at + 1);
}

// What stands before the place in a frame's line.
std::string_view named_part(std::string_view line, std::string_view place) {
  auto name = line.substr(0, static_cast<std::size_t>(place.data() - line.data()));
  if (name.starts_with("at "))
    name.remove_prefix(3);
  while (!name.empty() && (name.back() == '(' || name.back() == '@' || name.back() == ' '))
    name.remove_suffix(1);
  return name;
}

std::string_view plain_function(std::string_view name) {
  for (const std::string_view start : {"async ", "async*", "Object.", "Module.", "window."})
    if (name.starts_with(start))
      name.remove_prefix(start.size());
  name = name.substr(0, name.find(" [as "));
  name = name.substr(0, name.find("/<"));
  const bool anonymous = name.find('<') != std::string_view::npos || name == "eval";
  return anonymous ? std::string_view{} : name;
}

template <class Visit>
void for_each_location(std::string_view stack, Visit visit) {
  while (!stack.empty()) {
    const auto end = std::min(stack.find('\n'), stack.size());
    if (const auto place = frame_location(stack.substr(0, end)); !place.empty())
      if (!visit(place))
        return;
    stack.remove_prefix(std::min(end + 1, stack.size()));
  }
}

} // namespace

std::string_view frame_location(std::string_view line) {
  line = trimmed(line);
  const auto place = line.starts_with("at ") ? v8_place(line) : gecko_place(line);
  return is_place(place) ? place : std::string_view{};
}

std::string_view without_position(std::string_view location) {
  return without_number(without_number(location));
}

std::string_view first_location(std::string_view stack) {
  std::string_view found;
  for_each_location(stack, [&](std::string_view place) {
    found = place;
    return false;
  });
  return found;
}

std::string_view first_function(std::string_view stack) {
  while (!stack.empty()) {
    const auto end = std::min(stack.find('\n'), stack.size());
    const auto line = trimmed(stack.substr(0, end));
    if (const auto place = frame_location(line); !place.empty())
      return plain_function(named_part(line, place));
    stack.remove_prefix(std::min(end + 1, stack.size()));
  }
  return {};
}

bool is_extension_only(std::string_view stack) {
  bool any = false;
  bool all = true;
  for_each_location(stack, [&](std::string_view place) {
    any = true;
    all = is_extension_scheme(take_apart(place).scheme);
    return all;
  });
  return any && all;
}

} // namespace gasoline
