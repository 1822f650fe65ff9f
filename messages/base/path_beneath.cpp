#include "messages/base/path_beneath.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace gasoline {
namespace {

/// The kernel asks to try again when a rename got in between.
constexpr int open_attempts = 8;

} // namespace

file_descriptor open_path_beneath(int root, const std::string& path, int flags, mode_t mode) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC;
  how.mode = mode;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  for (int i = 1;; ++i) {
    const auto fd = ::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how);
    if (fd >= 0 || (errno != EAGAIN && errno != EINTR) || i == open_attempts)
      return file_descriptor{static_cast<int>(fd)};
  }
}

} // namespace gasoline
