#include "tools/engine/process/standard_descriptors.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace gasoline {

bool open_standard_descriptors() {
  for (const int wanted : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(wanted, F_GETFD) != -1 || errno != EBADF)
      continue;
    // The lowest free number is given, and all below this one are open.
    if (::open("/dev/null", O_RDWR) != wanted)
      return false;
  }
  return true;
}

} // namespace gasoline
