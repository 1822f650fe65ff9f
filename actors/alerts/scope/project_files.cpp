#include "actors/alerts/scope/project_files.hpp"

#include "actors/alerts/scope/scope_file.hpp"
#include "actors/base/git_directory.hpp"
#include "actors/base/small_file.hpp"
#include "messages/base/letters.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace gasoline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = 64U << 10U;
constexpr std::size_t most_directories = 200;
constexpr std::size_t most_remotes = 16;
constexpr std::chrono::milliseconds fresh{250};
constexpr std::chrono::seconds settled{5};

bool is_there(const fs::path& file) {
  return ::faccessat(AT_FDCWD, file.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

std::vector<std::string> remotes_in(const std::string& config) {
  std::vector<std::string> out;
  bool in_remote = false;
  for (std::size_t begin = 0; begin < config.size() && out.size() < most_remotes;) {
    const auto end = std::min(config.find('\n', begin), config.size());
    const auto line = ascii::trimmed(std::string_view{config}.substr(begin, end - begin));
    begin = end + 1;
    if (!line.empty() && line.front() == '[')
      in_remote = line.substr(0, 7) == "[remote";
    const auto equals = line.find('=');
    if (!in_remote || equals == std::string_view::npos ||
        ascii::trimmed(line.substr(0, equals)) != "url")
      continue;
    if (auto place = remote_place(ascii::trimmed(line.substr(equals + 1))); !place.empty())
      out.push_back(std::move(place));
  }
  return out;
}

/// Where a repository keeps what it says.
struct repository_place {
  fs::path git;    ///< of this working tree; empty: there is no repository
  fs::path common; ///< of all its working trees
};

repository_place repository_at(const std::string& root) {
  repository_place out;
  out.git = git_directory(root);
  if (out.git.empty())
    return out;
  out.common = out.git;
  if (const auto to = read_small_file(out.git / "commondir", most_bytes))
    out.common = out.git / std::string{ascii::trimmed(*to)};
  return out;
}

/// The files that say what is read of a project.
std::vector<std::string> files_of(const std::string& root, const repository_place& repository) {
  std::vector<std::string> out{(fs::path{root} / scope_file_name).string(),
                               (fs::path{root} / ".git").string()};
  if (!repository.git.empty()) {
    out.push_back((repository.git / "HEAD").string());
    out.push_back((repository.common / "config").string());
  }
  return out;
}

void read_repository(project& out, const repository_place& from) {
  if (from.git.empty())
    return;
  constexpr std::string_view heads = "refs/heads/";
  const auto head =
      first_line_value(read_small_file(from.git / "HEAD", most_bytes).value_or(""), "ref:");
  if (head.substr(0, heads.size()) == heads)
    out.branch = head.substr(heads.size());
  out.remotes = remotes_in(read_small_file(from.common / "config", most_bytes).value_or(""));
}

void read_lists(project& out) {
  const auto file = fs::path{out.root} / scope_file_name;
  if (!is_there(file))
    return;
  const auto text = read_small_file(file, most_bytes);
  if (!text) {
    out.problem = file.string() +
                  " is not heeded: it must be a file of yours of at most 64 KB that can be read.";
    return;
  }
  auto lists = parse_scope_file(*text);
  if (lists)
    out.lists = std::move(*lists);
  else
    out.problem = file.string() + " is not heeded: " + lists.error().message;
}

} // namespace

std::string remote_place(std::string_view url) {
  std::string_view ends_user = "/:";
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
    if (url.empty() || url.front() == '/')
      return {};
    ends_user = "/"; // a password stands behind a colon
  } else if (url.find(':') == std::string_view::npos || url.front() == '/') {
    return {};
  }
  const auto path = url.find_first_of(ends_user);
  if (const auto user = url.find('@'); user != std::string_view::npos && user < path)
    url.remove_prefix(user + 1);
  const auto end = url.find_first_of("/:");
  if (end == std::string_view::npos)
    return {};
  std::string out;
  for (const char c : url.substr(0, end))
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  auto rest = url.substr(end + 1);
  if (url[end] == ':') // a port, or the path as ssh takes it
    if (const auto slash = rest.find('/');
        slash != std::string_view::npos && slash > 0 &&
        rest.substr(0, slash).find_first_not_of("0123456789") == std::string_view::npos)
      rest.remove_prefix(slash + 1);
  while (!rest.empty() && rest.front() == '/')
    rest.remove_prefix(1);
  if (rest.size() > 4 && rest.substr(rest.size() - 4) == ".git")
    rest.remove_suffix(4);
  return out.append("/").append(rest);
}

std::string project_files::root_of(const std::string& directory) const {
  std::error_code ec;
  auto at = fs::weakly_canonical(directory, ec);
  if (ec)
    return directory;
  const auto itself = at.string();
  while (at.has_relative_path() && at.string() != home_) {
    if (is_there(at / scope_file_name) || is_there(at / ".git"))
      return at.string();
    at = at.parent_path();
  }
  return itself;
}

const project& project_files::of(const std::string& directory, mono_time now) {
  const auto known = entries_.find(directory);
  if (known != entries_.end()) {
    auto& row = known->second;
    if (now - row.seen_at < fresh)
      return row.found;
    if (now - row.found_at < settled && is_unchanged(row)) {
      row.seen_at = now;
      return row.found;
    }
  }
  if (known == entries_.end() && entries_.size() >= most_directories)
    entries_.clear();
  auto& row = entries_[directory];
  row = {};
  row.found_at = now;
  row.seen_at = now;
  row.found.root = root_of(directory);
  // What is written while it is read has another mark than the one that is taken before.
  const auto repository = repository_at(row.found.root);
  for (const auto& file : files_of(row.found.root, repository))
    row.files.push_back({file, mark_of(file)});
  read_lists(row.found);
  read_repository(row.found, repository);
  return row.found;
}

std::array<std::int64_t, 4> project_files::mark_of(const std::string& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0)
    return {};
  return {static_cast<std::int64_t>(found.st_ino), found.st_size, found.st_ctim.tv_sec,
          found.st_ctim.tv_nsec};
}

bool project_files::is_unchanged(const entry& row) {
  return std::all_of(row.files.begin(), row.files.end(),
                     [](const auto& file) { return mark_of(file.path) == file.mark; });
}

std::optional<user_error> project_files::change(const std::string& root,
                                                const scope_change& change) {
  const auto file = fs::path{root} / scope_file_name;
  const auto before = read_small_file(file, most_bytes);
  if (!before && is_there(file))
    return user_error{file.string() + " is no file of yours that can be read; it stays as it is."};
  const auto after = changed_scope_file(before.value_or(""), change);
  if (!after)
    return after.error();
  entries_.clear();
  auto temporary = file;
  temporary += ".new";
  std::error_code ec;
  {
    std::ofstream out{temporary, std::ios::binary | std::ios::trunc};
    out << *after;
    if (!out.flush())
      return user_error{file.string() + " cannot be written."};
  }
  fs::rename(temporary, fs::is_symlink(file, ec) ? fs::canonical(file, ec) : file, ec);
  if (ec)
    return user_error{file.string() + " cannot be written (" + ec.message() + ")."};
  return std::nullopt;
}

} // namespace gasoline
