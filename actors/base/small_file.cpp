#include "actors/base/small_file.hpp"

#include "messages/base/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

/// A regular file of the user or of root, with its status; nothing is opened otherwise.
file_descriptor open_own_file(const std::filesystem::path& file, struct stat& status) {
  file_descriptor in{
      ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)}; // a pipe would block
  const bool is_own = in && ::fstat(in.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                      (status.st_uid == ::getuid() || status.st_uid == 0);
  return is_own ? std::move(in) : file_descriptor{};
}

std::string text_from(const file_descriptor& in, off_t begin, std::size_t bytes) {
  std::string out(bytes, '\0');
  std::size_t have = 0;
  while (have < out.size()) {
    const auto n =
        ::pread(in.get(), out.data() + have, out.size() - have, begin + static_cast<off_t>(have));
    if (n <= 0)
      break;
    have += static_cast<std::size_t>(n);
  }
  out.resize(have);
  return out;
}

} // namespace

std::optional<std::string> read_small_file(const std::filesystem::path& file, std::size_t most) {
  struct stat status {};
  const auto in = open_own_file(file, status);
  if (!in || static_cast<std::size_t>(status.st_size) > most)
    return std::nullopt;
  return text_from(in, 0, static_cast<std::size_t>(status.st_size));
}

std::optional<file_ending> read_file_ending(const std::filesystem::path& file, std::size_t most) {
  struct stat status {};
  const auto in = open_own_file(file, status);
  if (!in)
    return std::nullopt;
  const auto size = static_cast<std::size_t>(status.st_size);
  const auto bytes = std::min(size, most);
  return file_ending{text_from(in, static_cast<off_t>(size - bytes), bytes),
                     static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1000 +
                         status.st_mtim.tv_nsec / 1'000'000,
                     bytes == size};
}

} // namespace gasoline
