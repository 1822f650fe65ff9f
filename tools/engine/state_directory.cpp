#include "tools/engine/state_directory.hpp"

#include <fstream>
#include <system_error>

namespace gasoline {
namespace {

std::filesystem::path port_file(const std::filesystem::path& dir) {
  return dir / "port";
}

} // namespace

result_or<std::filesystem::path> make_state_directory(const std::filesystem::path& dir) {
  namespace fs = std::filesystem;
  std::error_code ec;
  const bool made = fs::create_directories(dir, ec);
  if (ec || !fs::is_directory(dir, ec))
    return tl::unexpected(user_error{"The state directory " + dir.string() +
                                     " cannot be made; there will be no log file and no port file. "
                                     "Name a writable one with --state-dir."});
  if (made)
    fs::permissions(dir, fs::perms::owner_all, ec);
  return dir;
}

bool write_port_file(const std::filesystem::path& dir, std::uint16_t port) {
  const auto temporary = dir / "port.new";
  {
    std::ofstream out{temporary, std::ios::trunc};
    out << port << '\n';
    if (!out.flush())
      return false;
  }
  std::error_code ec;
  std::filesystem::rename(temporary, port_file(dir), ec);
  return !ec;
}

std::optional<std::uint16_t> read_port_file(const std::filesystem::path& dir) {
  std::ifstream in{port_file(dir)};
  unsigned port = 0;
  if (!(in >> port) || port == 0 || port > 65535)
    return std::nullopt;
  return static_cast<std::uint16_t>(port);
}

void remove_port_file(const std::filesystem::path& dir, std::uint16_t port) {
  if (read_port_file(dir) != port)
    return;
  std::error_code ec;
  std::filesystem::remove(port_file(dir), ec);
}

} // namespace gasoline
