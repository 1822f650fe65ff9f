#include "actors/mcp_tools/generate/generation/artifact_file.hpp"

#include "messages/base/encoding/hex.hpp"
#include "messages/base/file_descriptor.hpp"
#include "messages/base/identity/random_bytes.hpp"
#include "messages/base/path_beneath.hpp"
#include "messages/base/presentable_text.hpp"
#include "messages/base/private_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t most_shown = 200;

std::string shown(std::string_view path) {
  return "'" + terminal_line(path.substr(0, most_shown)) + "'";
}

tl::unexpected<user_error> refused(std::string_view path, std::string_view why) {
  return tl::unexpected(user_error{"Nothing was written: " + shown(path) + std::string{why}});
}

std::string without_end_slash(std::string directory) {
  while (directory.size() > 1 && directory.ends_with('/'))
    directory.pop_back();
  return directory;
}

/// Where files may be, whatever the workspace is.
std::string generated_directory(const artifact_file& file) {
  return without_end_slash(file.state_directory) + "/generated";
}

bool is_below(std::string_view path, std::string_view directory) {
  return !directory.empty() && path.starts_with(directory) &&
         path.substr(directory.size()).starts_with('/');
}

/// What to do about a disk or a directory that takes nothing.
std::string elsewhere(const artifact_file& file) {
  const auto generated = generated_directory(file);
  if (file.workspace.empty() || is_below(file.path, generated))
    return "; make room there, or leave out path.";
  return "; give a path in " + generated + ", or leave out path.";
}

tl::unexpected<user_error> failed(const artifact_file& file, int error) {
  const std::string_view path = file.path;
  if (error == EXDEV)
    return refused(path, " leads out of the directory that it has to stay in.");
  if (error == EEXIST)
    return refused(path, " is there already; give another path, or overwrite: true.");
  if (error == ENOSYS)
    return refused(path, " cannot be held inside its directory: that takes Linux 5.6 or newer.");
  const auto why = " cannot be written (" + std::generic_category().message(error) + ")";
  const bool takes_nothing = error == EROFS || error == ENOSPC || error == EDQUOT ||
                             error == EACCES || error == EPERM || error == EFBIG;
  return refused(path, why + (takes_nothing ? elsewhere(file) : "."));
}

/// A directory and what is asked for below it.
struct place {
  std::string root;
  std::vector<std::string> directories; ///< one below the other
  std::string name;
};

/// The parts of a path between slashes; `.` is none.
std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> out;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    const auto part = path.substr(0, end);
    if (!part.empty() && part != ".")
      out.emplace_back(part);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return out;
}

result_or<place> place_of(const artifact_file& file) {
  const std::string_view path = file.path;
  if (path.find('\0') != std::string_view::npos)
    return refused(path.substr(0, path.find('\0')), " holds a NUL character, which no path may.");
  if (path.ends_with('/'))
    return refused(path, " names a directory; name a file.");
  const auto workspace = without_end_slash(file.workspace);
  const auto generated = generated_directory(file);
  place out;
  out.root = workspace.empty() ? generated : workspace;
  std::string_view rest = path;
  if (path.starts_with('/')) {
    if (!is_below(path, workspace) && !is_below(path, generated))
      return refused(path, " is neither in the workspace (" +
                               (workspace.empty() ? "not known" : workspace) + ") nor in " +
                               generated + "; give a path in one of them.");
    out.root = is_below(path, workspace) ? workspace : generated;
    rest.remove_prefix(out.root.size());
  }
  out.directories = parts_of(rest);
  for (const auto& part : out.directories)
    if (part == ".." || part == ".git")
      return refused(path, " may not have " + part + " in it.");
  if (out.directories.empty())
    return refused(path, " names no file.");
  out.name = std::move(out.directories.back());
  out.directories.pop_back();
  return out;
}

/// The directory that the file goes into; those on the way that are missing are made.
result_or<file_descriptor> open_parent(const artifact_file& file, const place& to) {
  if (to.root != without_end_slash(file.workspace))
    if (const auto problem = make_private_directory(to.root))
      return tl::unexpected(*problem);
  file_descriptor at{::open(to.root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  std::string below;
  for (const auto& part : to.directories) {
    if (!at)
      break;
    constexpr mode_t usual = 0777; // less what the user's mask takes
    if (::mkdirat(at.get(), part.c_str(), usual) != 0 && errno != EEXIST)
      return failed(file, errno);
    below += (below.empty() ? "" : "/") + part;
    const file_descriptor root{::open(to.root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    at = open_path_beneath(root.get(), below, O_PATH | O_DIRECTORY);
  }
  if (!at)
    return failed(file, errno);
  return at;
}

/// Why it must not be replaced by a file; nothing: it may, or there is nothing.
std::optional<std::string_view> obstacle(int directory, const std::string& name) {
  struct stat about {};
  if (::fstatat(directory, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0)
    return std::nullopt;
  if (S_ISREG(about.st_mode))
    return std::nullopt;
  return " is no regular file, which alone is replaced.";
}

/// A name that nobody can foresee; empty: the kernel has no random bytes to give.
std::string name_of_chance() {
  std::array<char, 8> bytes{};
  if (!fill_random(std::as_writable_bytes(std::span{bytes})))
    return {};
  return ".gasoline-" + hex_text({bytes.data(), bytes.size()}) + ".tmp";
}

/// Writes under a name of chance; answers that name.
result_or<std::string> write_beside(int directory, const artifact_file& file) {
  auto name = name_of_chance();
  const file_descriptor out{::openat(
      directory, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, user_only)};
  if (!out)
    return failed(file, errno);
  if (write_all(out.get(), file.text))
    return name;
  const int error = errno;
  ::unlinkat(directory, name.c_str(), 0);
  return failed(file, error);
}

/// Gives the written file its name; false and `errno` when that cannot be.
bool give_name(int directory, const std::string& from, const std::string& to, bool overwrite) {
  if (overwrite)
    return ::renameat(directory, from.c_str(), directory, to.c_str()) == 0;
  // A link fails when the name is taken, whoever was faster.
  if (::linkat(directory, from.c_str(), directory, to.c_str(), 0) != 0)
    return false;
  ::unlinkat(directory, from.c_str(), 0);
  return true;
}

} // namespace

result_or<std::string> write_artifact(const artifact_file& file) {
  const auto to = place_of(file);
  if (!to)
    return tl::unexpected(to.error());
  const auto directory = open_parent(file, *to);
  if (!directory)
    return tl::unexpected(directory.error());
  if (const auto problem = obstacle(directory->get(), to->name))
    return refused(file.path, *problem);
  const auto written = write_beside(directory->get(), file);
  if (!written)
    return tl::unexpected(written.error());
  if (!give_name(directory->get(), *written, to->name, file.overwrite)) {
    const int error = errno;
    ::unlinkat(directory->get(), written->c_str(), 0);
    return failed(file, error);
  }
  auto out = to->root;
  for (const auto& part : to->directories)
    out += '/' + part;
  return out + '/' + to->name;
}

} // namespace gasoline
