#include "actors/alerts/alert_line.hpp"

#include <algorithm>
#include <string_view>

namespace gasoline {
namespace {

constexpr std::size_t longest_frame = 48;
constexpr std::size_t longest_place = 40;
constexpr std::size_t smallest_title = 24;

/// The text as it may stand inside quotes on a line: no line breaks, quotes or angle brackets.
std::string tamed(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += ' ';
    else if (c == '"' || c == '`')
      out += '\'';
    else if (c == '<')
      out += "\u2039";
    else if (c == '>')
      out += "\u203a";
    else
      out += c;
  }
  return out;
}

/// At most `bytes`, cut before a broken UTF-8 sequence, with `…` for what was cut.
std::string cut(std::string text, std::size_t bytes) {
  constexpr std::string_view mark = "\u2026";
  if (text.size() <= bytes)
    return text;
  auto end = bytes > mark.size() ? bytes - mark.size() : 0;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
    --end;
  text.resize(end);
  return text.append(mark);
}

/// `http://host/dir/app.js:41:7` as `app.js:41:7`.
std::string_view file_name(std::string_view location) {
  const auto slash = location.rfind('/');
  return slash == std::string_view::npos ? location : location.substr(slash + 1);
}

/// The first stack line of the detail, its file without the path: `at checkout (app.js:41:7)`.
std::string frame_of(std::string_view detail) {
  for (std::size_t begin = 0; begin < detail.size();) {
    const auto end = std::min(detail.find('\n', begin), detail.size());
    auto line = detail.substr(begin, end - begin);
    begin = end + 1;
    if (line.substr(0, 3) != "at ")
      continue;
    const auto open = line.find('(');
    if (open == std::string_view::npos)
      return "at " + std::string{file_name(line.substr(3))};
    return std::string{line.substr(0, open + 1)}.append(file_name(line.substr(open + 1)));
  }
  return {};
}

/// Where it happened: the URL without scheme and query.
std::string_view place_of(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos)
    url.remove_prefix(scheme + 3);
  return url.substr(0, url.find_first_of("?#"));
}

} // namespace

std::string alert_line(const merged_alert& m, std::size_t bytes) {
  const alert& a = *m.shown;
  std::string head{name_of(a.level)};
  head += " alert_" + std::to_string(m.id) + " \"";
  std::string tail{"\""};
  const std::string more =
      ", more: " + (a.next.empty() ? std::string{R"(observe {"what":"alerts"})"} : a.next.str());
  const std::string count = (m.count > 1 ? ", x" + std::to_string(m.count) : std::string{}) +
                            (m.regressed > 0 ? ", back after it was resolved" : "");
  const auto room = [&](std::size_t added) {
    return head.size() + smallest_title + tail.size() + count.size() + more.size() + added <= bytes;
  };
  if (const auto frame = cut(tamed(frame_of(a.detail.view())), longest_frame);
      !frame.empty() && room(frame.size() + 1))
    tail += " " + frame;
  if (const auto place = cut(tamed(place_of(a.url.view())), longest_place);
      !place.empty() && room(place.size() + 2))
    tail += ", " + place;
  tail += count;
  if (head.size() + smallest_title + tail.size() + more.size() <= bytes)
    tail += more;
  const auto used = head.size() + tail.size();
  return head + cut(tamed(a.title.view()), bytes > used ? bytes - used : 0) + tail;
}

} // namespace gasoline
