#include "tools/run/run_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace gasoline {
namespace {

constexpr std::size_t most_name_bytes = 40;
constexpr std::size_t words_in_name = 3;

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

std::string plain_name(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, most_name_bytes)) {
    const char letter = is_name_letter(c) ? c : '-';
    if (letter != '-' || (!out.empty() && out.back() != '-'))
      out += letter;
  }
  while (!out.empty() && out.back() == '-')
    out.pop_back();
  return out;
}

std::string words_of(const std::vector<std::string>& command) {
  std::string out;
  std::size_t words = 0;
  for (const auto& word : command) {
    if (word.starts_with('-') || words == words_in_name)
      break;
    const auto file = word.substr(word.rfind('/') + 1);
    out += (words++ > 0 ? "-" : "") + file;
  }
  return out;
}

} // namespace

std::optional<run_options> read_run_options(const std::vector<std::string>& words) {
  run_options out;
  const std::array<std::pair<std::string_view, std::string*>, 4> known{
      {{"--name", &out.name},
       {"--state-dir", &out.state_dir},
       {"--config", &out.config_file},
       {"--token-file", &out.token_file}}};
  std::size_t i = 0;
  for (; i < words.size() && words[i] != "--"; ++i) {
    const std::string_view word = words[i];
    const auto equals = word.find('=');
    const auto* const row = std::find_if(known.begin(), known.end(), [&](const auto& option) {
      return option.first == word.substr(0, equals);
    });
    if (row == known.end())
      return std::nullopt;
    if (equals != std::string_view::npos)
      *row->second = std::string{word.substr(equals + 1)};
    else if (i + 1 < words.size())
      *row->second = words[++i];
    else
      return std::nullopt;
  }
  if (i + 1 >= words.size())
    return std::nullopt;
  out.command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
  return out;
}

std::string run_name(const run_options& options) {
  auto out = plain_name(options.name.empty() ? words_of(options.command) : options.name);
  return out.empty() ? "command" : out;
}

} // namespace gasoline
