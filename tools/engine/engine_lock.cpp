#include "tools/engine/engine_lock.hpp"

#include "tools/engine/state_directory.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <array>
#include <cerrno>
#include <sstream>
#include <string>
#include <system_error>

namespace gasoline {
namespace {

std::filesystem::path lock_file(const std::filesystem::path& state_dir) {
  return state_dir / "engine.lock";
}

lock_holder read_holder(int fd) {
  std::array<char, 512> text{};
  const auto n = ::pread(fd, text.data(), text.size(), 0);
  std::istringstream in{std::string(text.data(), n > 0 ? static_cast<std::size_t>(n) : 0)};
  lock_holder out;
  std::string socket;
  if (in >> out.pid && std::getline(in.ignore(), socket))
    out.socket = socket;
  return out;
}

void write_holder(int fd, const std::filesystem::path& socket) {
  const auto text = std::to_string(::getpid()) + '\n' + socket.string() + '\n';
  if (::ftruncate(fd, 0) != 0)
    return;
  [[maybe_unused]] const auto n = ::pwrite(fd, text.data(), text.size(), 0);
}

} // namespace

lock_attempt try_engine_lock(const settings& config) {
  const auto path = lock_file(config.state_dir);
  file_descriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, user_only)};
  if (!file)
    return user_error{"The lock and the port file in " + config.state_dir.string() +
                      " cannot be written (" + std::system_category().message(errno) +
                      "); this engine works alone, and other editors cannot share it. Name a "
                      "writable directory with --state-dir."};
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return read_holder(file.get());
  write_holder(file.get(), config.attach_socket);
  return engine_lock{std::move(file)};
}

std::optional<lock_holder> find_lock_holder(const std::filesystem::path& state_dir) {
  const file_descriptor file{::open(lock_file(state_dir).c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file || ::flock(file.get(), LOCK_SH | LOCK_NB) == 0)
    return std::nullopt;
  return read_holder(file.get());
}

} // namespace gasoline
