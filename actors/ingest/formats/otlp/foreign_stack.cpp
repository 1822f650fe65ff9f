#include "actors/ingest/formats/otlp/foreign_stack.hpp"

#include "messages/base/letters.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t most_lines = 2'000;

struct foreign_frame {
  std::string_view function;
  std::string_view file;
  std::string_view line;
};

std::string_view digits_at(std::string_view text, std::size_t at) {
  const auto end = text.find_first_not_of("0123456789", at);
  return text.substr(at, end == std::string_view::npos ? end : end - at);
}

/// What stands between the two, first of each; nothing: not both are there.
std::optional<std::string_view> between(std::string_view text, std::string_view before,
                                        std::string_view after) {
  const auto begin = text.find(before);
  if (begin == std::string_view::npos)
    return std::nullopt;
  const auto from = begin + before.size();
  const auto end = text.find(after, from);
  if (end == std::string_view::npos)
    return std::nullopt;
  return text.substr(from, end - from);
}

// `File "/app/orders.py", line 88, in list_orders`
std::optional<foreign_frame> python_frame_in(std::string_view line) {
  constexpr std::string_view line_word = "\", line ";
  constexpr std::string_view in_word = ", in ";
  if (!line.starts_with("File \""))
    return std::nullopt;
  const auto file = between(line, "File \"", line_word);
  if (!file)
    return std::nullopt;
  const auto number = digits_at(line, line.find(line_word) + line_word.size());
  const auto in = line.find(in_word);
  const auto function =
      in == std::string_view::npos ? std::string_view{} : line.substr(in + in_word.size());
  if (number.empty())
    return std::nullopt;
  return foreign_frame{function, *file, number};
}

// `/app/orders.go:88 +0x1d`, below `main.list(...)`
std::optional<foreign_frame> go_frame_in(std::string_view line, std::string_view before) {
  const auto colon = line.rfind(".go:");
  if (colon == std::string_view::npos || !before.ends_with(')'))
    return std::nullopt;
  const auto number = digits_at(line, colon + 4);
  if (number.empty())
    return std::nullopt;
  return foreign_frame{before.substr(0, before.rfind('(')), line.substr(0, colon + 3), number};
}

// `/app/orders.rb:88:in 'list'`, perhaps after `from `
std::optional<foreign_frame> ruby_frame_in(std::string_view line) {
  constexpr std::string_view mark = ":in ";
  const auto in = line.find(mark);
  if (in == std::string_view::npos)
    return std::nullopt;
  const auto place = line.substr(line.starts_with("from ") ? 5 : 0, in);
  const auto end = place.find(mark);
  const auto where = place.substr(0, end);
  const auto colon = where.rfind(':');
  if (colon == std::string_view::npos)
    return std::nullopt;
  const auto number = digits_at(where, colon + 1);
  if (number.empty() || colon + 1 + number.size() != where.size())
    return std::nullopt;
  auto function = line.substr(in + mark.size());
  if (function.size() >= 2)
    function = function.substr(1, function.find('\'', 1) - 1);
  return foreign_frame{function, where.substr(0, colon), number};
}

// `#0 /app/orders.php(88): list()`
std::optional<foreign_frame> php_frame_in(std::string_view line) {
  if (!line.starts_with('#'))
    return std::nullopt;
  const auto blank = line.find(' ');
  const auto end = line.find("): ");
  const auto open = line.rfind('(', end);
  if (blank == std::string_view::npos || end == std::string_view::npos || open < blank ||
      open == std::string_view::npos)
    return std::nullopt;
  const auto number = digits_at(line, open + 1);
  if (number.empty() || open + 1 + number.size() != end)
    return std::nullopt;
  return foreign_frame{line.substr(end + 3), line.substr(blank + 1, open - blank - 1), number};
}

// `at Shop.Orders.List() in /app/Orders.cs:line 88`
std::optional<foreign_frame> dotnet_frame_in(std::string_view line) {
  constexpr std::string_view in_word = ") in ";
  constexpr std::string_view line_word = ":line ";
  const auto in = line.find(in_word);
  const auto mark = line.rfind(line_word);
  if (!line.starts_with("at ") || in == std::string_view::npos || mark == std::string_view::npos ||
      mark < in)
    return std::nullopt;
  const auto number = digits_at(line, mark + line_word.size());
  if (number.empty())
    return std::nullopt;
  const auto function = line.substr(3, line.find('(') - 3);
  const auto from = in + in_word.size();
  return foreign_frame{function, line.substr(from, mark - from), number};
}

std::string written(const foreign_frame& frame) {
  std::string place{frame.file};
  place.append(":").append(frame.line);
  // A place is read up to the first blank.
  std::replace(place.begin(), place.end(), ' ', '_');
  if (frame.function.empty())
    return "    at " + place;
  return "    at " + std::string{frame.function} + " (" + place + ")";
}

std::string joined_frames(const std::vector<foreign_frame>& frames) {
  std::string out;
  for (const auto& frame : frames)
    out.append(out.empty() ? "" : "\n").append(written(frame));
  return out;
}

} // namespace

std::string readable_stack(std::string_view stack) {
  std::vector<foreign_frame> frames;
  bool oldest_first = false;
  std::string_view before;
  auto rest = stack;
  for (std::size_t n = 0; n < most_lines && !rest.empty(); ++n) {
    const auto line = ascii::trimmed(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    // Of a chain of exceptions Python tells the last one last.
    if (line.starts_with("Traceback (most recent call last)")) {
      frames.clear();
      oldest_first = true;
    }
    auto frame = python_frame_in(line);
    if (!frame)
      frame = go_frame_in(line, before);
    if (!frame)
      frame = dotnet_frame_in(line);
    if (!frame)
      frame = php_frame_in(line);
    if (!frame)
      frame = ruby_frame_in(line);
    if (frame)
      frames.push_back(*frame);
    before = line;
  }
  if (frames.empty())
    return std::string{stack};
  if (oldest_first)
    std::reverse(frames.begin(), frames.end());
  return joined_frames(frames);
}

} // namespace gasoline
