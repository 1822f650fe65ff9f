#include "tools/ci_watch/run_watch.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace gasoline {
namespace {

constexpr int times_shortest_idle = 20;
constexpr int times_shortest_failing = 40;

template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    visit(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

/// `2026-01-28T14:30:00.1234567Z ` at the beginning of a line.
std::string_view without_time(std::string_view line) {
  constexpr std::string_view shape = "dddd-dd-ddTdd:dd:dd";
  if (line.starts_with("\xEF\xBB\xBF"))
    line.remove_prefix(3);
  if (line.size() <= shape.size())
    return line;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == 'd' ? !is_decimal(line[i]) : line[i] != shape[i])
      return line;
  auto rest = line.substr(shape.size());
  while (!rest.empty() && (is_decimal(rest.front()) || rest.front() == '.'))
    rest.remove_prefix(1);
  if (!rest.starts_with('Z'))
    return line;
  rest.remove_prefix(1);
  return rest.starts_with(' ') ? rest.substr(1) : rest;
}

std::string without_colours(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      out += line[i];
      continue;
    }
    if (i + 1 < line.size() && line[i + 1] == '[') {
      i += 2;
      while (i < line.size() && (line[i] < '@' || line[i] > '~'))
        ++i;
    }
  }
  return out;
}

bool is_markup(std::string_view line) {
  return line.starts_with("##[") || line.starts_with("::group") || line.starts_with("::endgroup") ||
         line.starts_with("section_start:") || line.starts_with("section_end:");
}

} // namespace

std::vector<watched_run> run_watch::take(const std::string& branch,
                                         const std::vector<watched_run>& listed) {
  const bool is_first = !looked_ || branch != branch_;
  std::vector<watched_run> out;
  std::map<std::string, bool> now;
  running_ = false;
  for (const auto& run : listed) {
    const bool over = !run.result.empty();
    now[run.id] = over;
    running_ = running_ || !over;
    const auto known = ended_.find(run.id);
    if (over && !is_first && (known == ended_.end() || !known->second))
      out.push_back(run);
  }
  ended_ = std::move(now);
  branch_ = branch;
  looked_ = true;
  std::reverse(out.begin(), out.end());
  return out;
}

std::chrono::seconds poll_pace::after_news() {
  next_ = shortest_;
  return shortest_;
}

std::chrono::seconds poll_pace::after_nothing() {
  return longer(shortest_ * times_shortest_idle);
}

std::chrono::seconds poll_pace::after_failure() {
  return longer(shortest_ * times_shortest_failing);
}

std::chrono::seconds poll_pace::longer(std::chrono::seconds most) {
  const auto now = std::min(next_, most);
  next_ = std::min(now * 2, most);
  return now;
}

std::string log_tail(std::string_view log, std::size_t lines) {
  constexpr std::size_t longest_line = 300;
  std::deque<std::string> last;
  for_each_line(log, [&](std::string_view line) {
    auto plain = without_colours(without_time(line));
    constexpr std::string_view error_mark = "##[error]";
    if (plain.starts_with(error_mark))
      plain.erase(0, error_mark.size());
    if (plain.find_first_not_of(" \t") == std::string::npos || is_markup(plain))
      return;
    if (plain.size() > longest_line)
      plain.resize(longest_line);
    last.push_back(std::move(plain));
    if (last.size() > lines)
      last.pop_front();
  });
  std::string out;
  for (const auto& line : last)
    out.append(out.empty() ? "" : "\n").append(line);
  return out;
}

std::string log_of_job(std::string_view log, std::string_view job) {
  std::string all;
  std::string own;
  for_each_line(log, [&](std::string_view line) {
    const auto first = line.find('\t');
    const auto second = first == std::string_view::npos ? first : line.find('\t', first + 1);
    const auto text = second == std::string_view::npos ? line : line.substr(second + 1);
    all.append(text).append("\n");
    if (second != std::string_view::npos && line.substr(0, first) == job)
      own.append(text).append("\n");
  });
  return own.empty() ? all : own;
}

} // namespace gasoline
