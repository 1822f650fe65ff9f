#include "transport/attach/private_directory.hpp"

#include <sys/stat.h>

#include <system_error>

namespace gasoline {

std::optional<user_error> make_private_directory(const std::filesystem::path& dir) {
  std::error_code ec;
  if (std::filesystem::create_directories(dir, ec))
    ::chmod(dir.c_str(), S_IRWXU);
  struct stat found {};
  if (::stat(dir.c_str(), &found) != 0 || !S_ISDIR(found.st_mode))
    return user_error{"The directory " + dir.string() + " of the attach socket cannot be made" +
                      (ec ? " (" + ec.message() + ")" : std::string{}) +
                      "; other editors cannot join this engine."};
  return std::nullopt;
}

} // namespace gasoline
