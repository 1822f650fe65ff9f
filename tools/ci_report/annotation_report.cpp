#include "tools/ci_report/report_lines.hpp"
#include "tools/ci_report/report_readers.hpp"

#include <array>
#include <string>

namespace gasoline {
namespace {

// What a workflow command writes for characters that it cannot hold.
std::string unescaped(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> escapes{
      {{"%0A", '\n'}, {"%0D", '\r'}, {"%3A", ':'}, {"%2C", ','}, {"%25", '%'}}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    bool found = false;
    for (const auto& [escape, c] : escapes)
      if (text.substr(i, escape.size()) == escape) {
        out += c;
        i += escape.size();
        found = true;
        break;
      }
    if (!found)
      out += text[i++];
  }
  return out;
}

/// The value of `name=value` in a comma-separated list; empty: there is none.
std::string property(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    auto one = list.substr(0, end);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    const auto equals = one.find('=');
    if (one.substr(0, equals) == name && equals != std::string_view::npos)
      return unescaped(one.substr(equals + 1));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return {};
}

void add_error(test_report& out, std::string_view properties, std::string_view message) {
  const auto file = property(properties, "file");
  const auto line = property(properties, "line");
  const auto title = property(properties, "title");
  auto name = file.empty() || line.empty() ? file : file + ":" + line;
  if (!title.empty())
    name += (name.empty() ? "" : " ") + title;
  const auto text = unescaped(message);
  // Without a place and a title the message is all that tells one error from another.
  const bool told = name.empty() && text.find('\n') == std::string::npos;
  out.add_fault(name.empty() ? text.substr(0, text.find('\n')) : name, told ? "" : text);
}

} // namespace

result_or<bool> read_annotations(std::istream& in, test_report& out) {
  constexpr std::string_view command = "::error";
  constexpr std::string_view shown = "##[error]";
  for (std::string line; read_report_line(in, line);) {
    const std::string_view text = line;
    if (const auto at = text.find(shown); at != std::string_view::npos) {
      add_error(out, {}, text.substr(at + shown.size()));
      continue;
    }
    const auto at = text.find(command);
    if (at == std::string_view::npos)
      continue;
    const auto rest = text.substr(at + command.size());
    const auto end = rest.find("::");
    if (end == std::string_view::npos || (end > 0 && rest.front() != ' '))
      continue;
    add_error(out, rest.substr(0, end), rest.substr(end + 2));
  }
  return true;
}

} // namespace gasoline
