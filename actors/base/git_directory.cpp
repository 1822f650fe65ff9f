#include "actors/base/git_directory.hpp"

#include "actors/base/small_file.hpp"
#include "messages/base/letters.hpp"

#include <cstddef>
#include <system_error>

namespace gasoline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t git_file_bytes = 64U << 10U;

} // namespace

std::string first_line_value(std::string_view text, std::string_view key) {
  const auto line = ascii::trimmed(text.substr(0, text.find('\n')));
  return line.substr(0, key.size()) == key ? std::string{ascii::trimmed(line.substr(key.size()))}
                                           : std::string{};
}

fs::path git_directory(const fs::path& root) {
  const auto git = root / ".git";
  std::error_code ec;
  if (fs::is_directory(git, ec))
    return git;
  const auto to = first_line_value(read_small_file(git, git_file_bytes).value_or(""), "gitdir:");
  if (to.empty())
    return {};
  return fs::path{to}.is_absolute() ? fs::path{to} : root / to;
}

} // namespace gasoline
