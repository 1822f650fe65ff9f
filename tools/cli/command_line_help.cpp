#include "tools/cli/command_line_help.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gasoline {
namespace {

/// Longer words are no misspelt command; their cost would grow with the square of their length.
constexpr std::size_t longest_word = 40;

/// The optimal string alignment distance.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, std::move(row));
  }
  return last[b.size()];
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    out.push_back(command->get_name());
  return out;
}

std::string unknown_command(const std::string& path, const std::string& word,
                            const std::vector<std::string>& names) {
  auto out = "'" + word.substr(0, longest_word) + "' is no command of " + path + ".";
  if (const auto near = nearest_name(word, names))
    out += " Did you mean `" + path + " " + *near + "`?";
  return out;
}

} // namespace

std::optional<std::string> nearest_name(const std::string& word,
                                        const std::vector<std::string>& names) {
  if (word.size() > longest_word)
    return std::nullopt;
  std::optional<std::string> out;
  auto least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& name : names)
    if (const auto d = distance(word, name); d < least) {
      least = d;
      out = name;
    }
  return out;
}

std::optional<command_problem> find_command_problem(const CLI::App& app,
                                                    const std::vector<std::string>& words) {
  const auto* at = &app;
  std::string before;
  auto path = app.get_name();
  for (const auto& word : words) {
    const auto names = command_names(*at);
    if (names.empty() || word.starts_with('-'))
      return std::nullopt;
    if (std::find(names.begin(), names.end(), word) == names.end())
      return command_problem{unknown_command(path, word, names), at->help(before)};
    before = path;
    at = at->get_subcommand(word);
    path += " " + word;
  }
  if (command_names(*at).empty())
    return std::nullopt;
  return command_problem{{}, at->help(before)};
}

} // namespace gasoline
