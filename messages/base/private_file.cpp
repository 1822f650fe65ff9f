#include "messages/base/private_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace gasoline {
namespace {

constexpr mode_t others_rights = S_IRWXG | S_IRWXO;
constexpr mode_t others_writing = S_IWGRP | S_IWOTH;

std::string reason() {
  return std::system_category().message(errno);
}

bool is_own(uid_t owner) {
  return owner == ::geteuid() || owner == 0;
}

std::string foreign_words(uid_t owner) {
  return "belongs to another user of this machine (uid " + std::to_string(owner) + ")";
}

tl::unexpected<user_error> refuse(const std::filesystem::path& file, const std::string& why) {
  return tl::unexpected(user_error{file.string() + " " + why + "."});
}

std::optional<user_error> make_directories(const std::filesystem::path& dir) {
  std::error_code ec;
  if (std::filesystem::create_directories(dir, ec))
    ::chmod(dir.c_str(), S_IRWXU);
  if (!ec)
    return std::nullopt;
  return user_error{"The directory " + dir.string() + " cannot be made (" + ec.message() + ")."};
}

} // namespace

std::optional<std::string> ownership_problem(const struct stat& file) {
  if (!S_ISREG(file.st_mode))
    return "is no regular file";
  if (!is_own(file.st_uid))
    return foreign_words(file.st_uid);
  return std::nullopt;
}

std::optional<std::string> secrecy_problem(const struct stat& file) {
  if (auto problem = ownership_problem(file))
    return problem;
  if ((file.st_mode & S_IRWXO) != 0)
    return "can be read or written by every user of this machine";
  if ((file.st_mode & S_IRWXG) != 0)
    return "can be read or written by other users of its group";
  return std::nullopt;
}

result_or<file_descriptor> open_own_file(const std::filesystem::path& file, int flags) {
  // Whether to empty the file is decided once it is known whose it is.
  file_descriptor out{::open(file.c_str(),
                             (flags & ~O_TRUNC) | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
                             user_only)};
  if (!out && errno == ELOOP)
    return refuse(file, "is a link, which is not followed here");
  struct stat about {};
  if (!out || ::fstat(out.get(), &about) != 0)
    return refuse(file, "cannot be opened (" + reason() + ")");
  if (auto problem = ownership_problem(about))
    return refuse(file, *problem);
  const bool writes = (flags & O_ACCMODE) != O_RDONLY;
  if (writes && about.st_nlink > 1)
    return refuse(file, "has a second name elsewhere (a hard link), whose content would be lost");
  if (writes && (about.st_mode & others_rights) != 0)
    ::fchmod(out.get(), user_only);
  if ((flags & O_TRUNC) != 0 && ::ftruncate(out.get(), 0) != 0)
    return refuse(file, "cannot be emptied (" + reason() + ")");
  return out;
}

std::optional<std::string> read_own_file(const std::filesystem::path& file,
                                         std::size_t most_bytes) {
  const auto open = open_own_file(file, O_RDONLY);
  if (!open)
    return std::nullopt;
  std::string out;
  std::array<char, 1024> piece{};
  for (;;) {
    const auto n = ::read(open->get(), piece.data(), piece.size());
    if (n < 0 || out.size() + static_cast<std::size_t>(n) > most_bytes)
      return std::nullopt;
    if (n == 0)
      return out;
    out.append(piece.data(), static_cast<std::size_t>(n));
  }
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::optional<user_error> replace_file(const std::filesystem::path& file, std::string_view text,
                                       mode_t mode) {
  auto name = file.string() + ".XXXXXX";
  const file_descriptor out{::mkostemp(name.data(), O_CLOEXEC)};
  if (out && write_all(out.get(), text) && ::fchmod(out.get(), mode) == 0 &&
      ::rename(name.c_str(), file.c_str()) == 0)
    return std::nullopt;
  auto problem = user_error{file.string() + " cannot be written (" + reason() + ")."};
  if (out)
    ::unlink(name.c_str());
  return problem;
}

std::optional<std::string> directory_problem(const std::filesystem::path& dir) {
  struct stat name {};
  struct stat found {};
  if (::lstat(dir.c_str(), &name) != 0 || ::stat(dir.c_str(), &found) != 0)
    return "cannot be used (" + reason() + ")";
  if (!is_own(name.st_uid))
    return (S_ISLNK(name.st_mode) ? "is a link that " : "") + foreign_words(name.st_uid);
  if (!S_ISDIR(found.st_mode))
    return "is no directory";
  if (found.st_uid != ::geteuid())
    return foreign_words(found.st_uid);
  if ((found.st_mode & others_writing) != 0)
    return "can be written by other users; make it yours alone with `chmod 700 " + dir.string() +
           "`";
  return std::nullopt;
}

std::optional<user_error> make_private_directory(const std::filesystem::path& dir) {
  if (auto problem = make_directories(dir))
    return problem;
  struct stat name {};
  const bool is_there = ::lstat(dir.c_str(), &name) == 0;
  if (is_there && S_ISLNK(name.st_mode))
    return user_error{dir.string() + " is a link, which is not followed here."};
  if (auto problem = directory_problem(dir))
    return user_error{dir.string() + " " + *problem + "."};
  if ((name.st_mode & others_rights) != 0)
    return user_error{dir.string() +
                      " is open to other users; make it yours alone with `chmod 700 " +
                      dir.string() + "`."};
  return std::nullopt;
}

} // namespace gasoline
