#include "actors/agents/tools/workspace.hpp"

#include "messages/base/path_beneath.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace gasoline {
namespace {

tl::unexpected<path_fault> fault(std::string error_class, std::string message) {
  return tl::unexpected(path_fault{std::move(error_class), std::move(message)});
}

std::string shown_path(const std::string& path) {
  return "'" + path.substr(0, 200) + "'";
}

path_fault fault_of(int error, const std::string& path) {
  const auto name = shown_path(path);
  switch (error) {
  case EXDEV:
    return {"denied", name + " leads out of the workspace; give a path inside it, relative to it."};
  case ELOOP:
    return {"denied", name + " leads through symbolic links that cannot be followed."};
  case ENOENT:
    return {"", "There is no " + name + " in the workspace; list_files shows what there is."};
  case ENOTDIR:
    return {"", "A part of " + name + " is no directory."};
  case EACCES:
  case EPERM:
    return {"", name + " may not be read by this user."};
  case ENAMETOOLONG:
    return {"invalid_input", "The path is longer than paths can be."};
  case ENOSYS:
    return {"denied", "This kernel has no openat2, which holds paths inside the workspace; it is "
                      "in Linux 5.6 and newer."};
  default:
    return {"", name + " cannot be opened: " + std::generic_category().message(error) + "."};
  }
}

tl::expected<std::string, path_fault> path_below(const std::string& workspace,
                                                 std::string_view path) {
  if (path.find('\0') != std::string_view::npos)
    return fault("invalid_input", "A path cannot hold a NUL character.");
  std::string_view root = workspace;
  while (root.size() > 1 && root.ends_with('/'))
    root.remove_suffix(1);
  if (path == root)
    return std::string{"."};
  if (path.starts_with(root) && path.substr(root.size()).starts_with('/'))
    path.remove_prefix(root.size());
  else if (path.starts_with('/'))
    return tl::unexpected(fault_of(EXDEV, std::string{path}));
  while (path.starts_with('/'))
    path.remove_prefix(1);
  return path.empty() ? std::string{"."} : std::string{path};
}

tl::expected<file_descriptor, path_fault>
open_for_reading(const file_descriptor& reference, const std::string& path, readable_kind wanted) {
  const bool directory = wanted == readable_kind::directory;
  struct stat about {};
  if (::fstat(reference.get(), &about) != 0)
    return tl::unexpected(fault_of(errno, path));
  if (directory && !S_ISDIR(about.st_mode))
    return fault("", shown_path(path) + " is no directory; read_file reads files.");
  if (!directory && S_ISDIR(about.st_mode))
    return fault("", shown_path(path) + " is a directory; list_files lists it.");
  if (!directory && !S_ISREG(about.st_mode))
    return fault("denied", shown_path(path) + " is no regular file but a device, a pipe or a " +
                               "socket; only regular files are read.");
  // The reference is of that very file, so nothing can take its place any more.
  const auto self = "/proc/self/fd/" + std::to_string(reference.get());
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (directory ? O_DIRECTORY : 0);
  file_descriptor opened{::open(self.c_str(), flags)};
  if (!opened)
    return tl::unexpected(fault_of(errno, path));
  return opened;
}

} // namespace

tl::expected<file_descriptor, path_fault> open_workspace(const std::string& workspace) {
  if (!workspace.starts_with('/'))
    return fault("denied", "The workspace of this session is no absolute path, so it is not known "
                           "where it is; make the session with an absolute workspace_path.");
  file_descriptor root{::open(workspace.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (!root)
    return fault("denied", "The workspace " + shown_path(workspace) + " is no directory that can " +
                               "be opened: " + std::generic_category().message(errno) + ".");
  return root;
}

tl::expected<file_descriptor, path_fault> open_beneath(int root, const std::string& path,
                                                       readable_kind wanted) {
  const auto reference = open_path_beneath(root, path, O_PATH);
  if (!reference)
    return tl::unexpected(fault_of(errno, path));
  return open_for_reading(reference, path, wanted);
}

tl::expected<workspace_entry, path_fault>
open_in_workspace(const std::string& workspace, std::string_view path, readable_kind wanted) {
  auto below = path_below(workspace, path);
  if (!below)
    return tl::unexpected(std::move(below.error()));
  const auto root = open_workspace(workspace);
  if (!root)
    return tl::unexpected(root.error());
  auto opened = open_beneath(root->get(), *below, wanted);
  if (!opened)
    return tl::unexpected(std::move(opened.error()));
  return workspace_entry{std::move(*opened), std::move(*below)};
}

tool_outcome outcome_of(path_fault fault) {
  tool_outcome out;
  out.is_error = true;
  out.error_class = std::move(fault.error_class);
  out.text = std::move(fault.message);
  return out;
}

tool_outcome invalid_input(std::string message) {
  return outcome_of({"invalid_input", std::move(message)});
}

} // namespace gasoline
