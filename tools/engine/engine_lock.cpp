#include "tools/engine/engine_lock.hpp"

#include "messages/base/private_file.hpp"
#include "tools/engine/process/logging.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <array>
#include <cstdlib>
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

/// A directory under a name of chance, which nobody can have made before.
std::filesystem::path chance_directory() {
  auto name = "/tmp/gasoline-" + std::to_string(::getuid()) + "-XXXXXX";
  return ::mkdtemp(name.data()) == nullptr ? std::string{} : name;
}

/// Where the engine listens: the usual socket, or one in another directory when somebody else has
/// a hand in that of the usual one. The lock's file names it to those who look for it.
std::filesystem::path usable_socket(const settings& config) {
  const auto& usual = config.attach_socket;
  std::error_code ec;
  if (usual.empty() || std::filesystem::equivalent(usual.parent_path(), config.state_dir, ec))
    return usual;
  const auto problem = make_private_directory(usual.parent_path());
  if (!problem)
    return usual;
  const auto other = chance_directory();
  if (other.empty())
    return usual;
  say_on_stderr(problem->message + " The attach socket is in " + other.string() + " instead.");
  return other / usual.filename();
}

void write_holder(int fd, const std::filesystem::path& socket) {
  const auto text = std::to_string(::getpid()) + '\n' + socket.string() + '\n';
  if (::ftruncate(fd, 0) != 0)
    return;
  [[maybe_unused]] const auto n = ::pwrite(fd, text.data(), text.size(), 0);
}

} // namespace

lock_attempt try_engine_lock(const settings& config) {
  auto file = open_own_file(lock_file(config.state_dir), O_RDWR | O_CREAT);
  if (!file)
    return user_error{"The lock and the port file in " + config.state_dir.string() +
                      " cannot be written: " + file.error().message +
                      " This engine works alone, and other editors cannot share it. Name a "
                      "writable directory with --state-dir."};
  if (::flock(file->get(), LOCK_EX | LOCK_NB) != 0)
    return read_holder(file->get());
  auto socket = usable_socket(config);
  write_holder(file->get(), socket);
  return engine_lock{std::move(*file), std::move(socket)};
}

std::optional<lock_holder> find_lock_holder(const std::filesystem::path& state_dir) {
  const auto file = open_own_file(lock_file(state_dir), O_RDONLY);
  if (!file || ::flock(file->get(), LOCK_SH | LOCK_NB) == 0)
    return std::nullopt;
  return read_holder(file->get());
}

} // namespace gasoline
