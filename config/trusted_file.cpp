#include "config/trusted_file.hpp"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace gasoline {
namespace {

constexpr std::string_view only_yours = "; make it yours alone with `chmod go-w`";

/// Most systems give each user a group of the same name, and let new files be writable by it.
bool has_own_user_alone(gid_t group) {
  const auto* user = ::getpwuid(::geteuid());
  if (user == nullptr || user->pw_gid != group)
    return false;
  const std::string name = user->pw_name;
  const auto* row = ::getgrgid(group);
  if (row == nullptr || name != row->gr_name)
    return false;
  for (char** member = row->gr_mem; *member != nullptr; ++member)
    if (name != *member)
      return false;
  return true;
}

class opened_file {
 public:
  explicit opened_file(const std::filesystem::path& file)
      : fd_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)) {}
  opened_file(const opened_file&) = delete;
  opened_file& operator=(const opened_file&) = delete;
  ~opened_file() {
    if (fd_ >= 0)
      ::close(fd_);
  }

  int get() const { return fd_; }

  /// From here on reading waits for who writes: a pipe's bytes may not have come yet. Opening did
  /// not, so that whose pipe it is was known before anybody waited for it.
  void wait_for_bytes() const {
    ::fcntl(fd_, F_SETFL, 0);
    pollfd writer{fd_, POLLIN, 0};
    while (::poll(&writer, 1, -1) < 0 && errno == EINTR)
      ;
  }

 private:
  int fd_;
};

tl::unexpected<user_error> refuse(const std::filesystem::path& file, const std::string& why) {
  return tl::unexpected(user_error{file.string() + " " + why + "."});
}

} // namespace

std::optional<std::string> order_problem(const struct stat& file) {
  if (file.st_uid != ::geteuid() && file.st_uid != 0)
    return "belongs to another user of this machine (uid " + std::to_string(file.st_uid) +
           "), who could make this engine do anything; make it yours with `chown`";
  if ((file.st_mode & S_IWOTH) != 0)
    return "can be written by every user of this machine" + std::string{only_yours};
  if ((file.st_mode & S_IWGRP) != 0 && !has_own_user_alone(file.st_gid))
    return "can be written by other users of its group" + std::string{only_yours};
  return std::nullopt;
}

result_or<std::string> read_trusted_file(const std::filesystem::path& file,
                                         std::size_t most_bytes) {
  const opened_file open{file};
  struct stat about {};
  if (open.get() < 0 || ::fstat(open.get(), &about) != 0)
    return refuse(file, "cannot be read (" + std::system_category().message(errno) + ")");
  if (S_ISDIR(about.st_mode))
    return refuse(file, "cannot be read: it is a directory");
  // A pipe that another user has made holds orders as a file does; /dev/null is everybody's.
  if (!S_ISCHR(about.st_mode))
    if (auto problem = order_problem(about))
      return refuse(file, *problem);
  if (S_ISFIFO(about.st_mode))
    open.wait_for_bytes();
  std::string text;
  std::array<char, 16384> piece{};
  for (;;) {
    const auto n = ::read(open.get(), piece.data(), piece.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return refuse(file, "cannot be read (" + std::system_category().message(errno) + ")");
    if (n == 0)
      return text;
    text.append(piece.data(), static_cast<std::size_t>(n));
    if (text.size() > most_bytes)
      return refuse(file, "is longer than " + std::to_string(most_bytes) + " bytes");
  }
}

} // namespace gasoline
