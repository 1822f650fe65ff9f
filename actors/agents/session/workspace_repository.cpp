#include "actors/agents/session/workspace_repository.hpp"

#include "messages/base/letters.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace gasoline {
namespace {

namespace fs = std::filesystem;

constexpr std::streamsize most_bytes = 64 << 10;

/// The beginning of a file; empty: it is none, or cannot be read.
std::string beginning_of(const fs::path& file) {
  std::error_code ec;
  if (!fs::is_regular_file(file, ec))
    return {};
  std::string out(static_cast<std::size_t>(most_bytes), '\0');
  std::ifstream in{file, std::ios::binary};
  in.read(out.data(), most_bytes);
  out.resize(static_cast<std::size_t>(in.gcount()));
  return out;
}

/// The rest of a text that begins so; empty: it does not.
std::string_view after(std::string_view text, std::string_view beginning) {
  return text.starts_with(beginning) ? ascii::trimmed(text.substr(beginning.size()))
                                     : std::string_view{};
}

/// The directory of Git's files for a working directory; empty: it is in none.
fs::path git_directory(const std::string& directory) {
  std::error_code ec; // set where something is missing, which is nothing to stop at
  for (fs::path at = fs::absolute(directory, ec); !at.empty(); at = at.parent_path()) {
    const auto git = at / ".git";
    if (fs::is_directory(git, ec))
      return git;
    if (fs::is_regular_file(git, ec)) // of a worktree
      return (at / after(ascii::trimmed(beginning_of(git)), "gitdir:")).lexically_normal();
    if (at == at.root_path())
      break;
  }
  return {};
}

/// What all worktrees of a repository share.
fs::path common_directory(const fs::path& git) {
  const auto common = beginning_of(git / "commondir");
  return common.empty() ? git : (git / ascii::trimmed(common)).lexically_normal();
}

/// The address of `origin` in a configuration of Git.
std::string origin_in(const std::string& config) {
  std::istringstream lines{config};
  bool in_origin = false;
  for (std::string line; std::getline(lines, line);) {
    const auto text = ascii::trimmed(line);
    if (text.starts_with('['))
      in_origin = text == "[remote \"origin\"]";
    else if (in_origin && text.starts_with("url"))
      if (const auto address = after(ascii::trimmed(text.substr(3)), "="); !address.empty())
        return std::string{address};
  }
  return {};
}

} // namespace

std::string remote_path(std::string_view address) {
  const auto scheme = address.find("://");
  const auto separator =
      scheme == std::string_view::npos ? address.find(':') : address.find('/', scheme + 3);
  if (separator == std::string_view::npos || address.starts_with("file:") ||
      address.starts_with('/'))
    return {};
  auto path = address.substr(separator + 1);
  while (path.starts_with('/'))
    path.remove_prefix(1);
  while (path.ends_with('/'))
    path.remove_suffix(1);
  if (path.ends_with(".git"))
    path.remove_suffix(4);
  return std::string{path};
}

workspace_repository repository_of(const std::string& directory) {
  const auto git = directory.empty() ? fs::path{} : git_directory(directory);
  if (git.empty())
    return {};
  workspace_repository out;
  out.branch = after(ascii::trimmed(beginning_of(git / "HEAD")), "ref: refs/heads/");
  out.remote = remote_path(origin_in(beginning_of(common_directory(git) / "config")));
  return out;
}

} // namespace gasoline
