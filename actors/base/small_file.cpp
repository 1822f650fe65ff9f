#include "actors/base/small_file.hpp"

#include "messages/base/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gasoline {

std::optional<std::string> read_small_file(const std::filesystem::path& file, std::size_t most) {
  const file_descriptor in{
      ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)}; // a pipe would block
  struct stat status {};
  if (!in || ::fstat(in.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::size_t>(status.st_size) > most ||
      (status.st_uid != ::getuid() && status.st_uid != 0))
    return std::nullopt;
  std::string out(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t have = 0;
  while (have < out.size()) {
    const auto n = ::read(in.get(), out.data() + have, out.size() - have);
    if (n <= 0)
      break;
    have += static_cast<std::size_t>(n);
  }
  out.resize(have);
  return out;
}

} // namespace gasoline
