#include "tools/run/copy_channel.hpp"

#include "tools/run/outlive_job.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <utility>

namespace gasoline {
namespace {

using clock = std::chrono::steady_clock;

constexpr int socket_bytes = 1 << 20;
constexpr std::chrono::milliseconds behind_pace{10};
constexpr int observer_niceness = 5; ///< beyond ours

[[noreturn]] void become_observer(const run_options& options, int fd) {
  outlive_job();
  ::signal(SIGTERM, SIG_IGN); // whoever ends the job may mean all of its processes
  ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + observer_niceness);
  std::error_code ec;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ec);
  auto program = (self.parent_path() / "gasoline-engine").string();
  auto name = run_name(options);
  auto words = options;
  auto argument = std::string{observer_argument};
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(fd, STDIN_FILENO); // without CLOEXEC
  // Whoever reads the command's output to its end must not wait for the observer.
  ::dup2(null, STDOUT_FILENO);
  ::dup2(null, STDERR_FILENO);
  std::array<char*, 8> arguments{program.data(),
                                 argument.data(),
                                 name.data(),
                                 words.command.front().data(),
                                 words.state_dir.data(),
                                 words.config_file.data(),
                                 words.token_file.data(),
                                 nullptr};
  ::execv(program.c_str(), arguments.data());
  ::_exit(127);
}

} // namespace

void copy_channel::start(const run_options& options) {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return;
  file_descriptor ours{ends[0]};
  const file_descriptor observers{ends[1]};
  for (const int end : ends)
    ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &socket_bytes, sizeof socket_bytes);
  const auto child = ::fork();
  if (child == 0)
    become_observer(options, observers.get());
  if (child > 0)
    socket_ = std::move(ours);
}

void copy_channel::close() {
  socket_ = file_descriptor{};
  backlog_.clear();
}

bool copy_channel::send(std::string_view packet) {
  while (socket_) {
    if (::send(socket_.get(), packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
      return true;
    if (errno == EINTR)
      continue;
    if (errno == EAGAIN || errno == ENOBUFS)
      return false;
    close();
  }
  return false;
}

void copy_channel::copy(copy_kind kind, std::string_view bytes) {
  if (!socket_)
    return;
  backlog_.add(kind, bytes);
  flush();
}

void copy_channel::leave_out(std::uint64_t bytes) {
  if (socket_)
    backlog_.leave_out(bytes);
  flush();
}

int copy_channel::next_flush_ms() const noexcept {
  return is_behind() ? static_cast<int>(behind_pace.count()) : -1;
}

void copy_channel::flush() {
  if (is_behind()) {
    const auto now = clock::now();
    if (now - sent_at_ < behind_pace || !send(backlog_.front()))
      return;
    sent_at_ = now;
    return backlog_.pop();
  }
  send_backlog();
}

void copy_channel::send_backlog() {
  while (has_backlog() && send(backlog_.front()))
    backlog_.pop();
}

bool copy_channel::take_notices() {
  std::array<char, 4096> packet{};
  while (socket_) {
    const auto got = ::recv(socket_.get(), packet.data(), packet.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && errno == EAGAIN)
      return true;
    if (got <= 0) {
      close();
      return false;
    }
    if (packet[0] == static_cast<char>(copy_kind::finished)) {
      finished_ = true;
      return false;
    }
    // A terminal in raw mode needs the carriage return, and takes it well otherwise.
    const auto text =
        "gasoline: " + std::string{packet.data() + 1, static_cast<std::size_t>(got) - 1} +
        (::isatty(STDERR_FILENO) == 1 ? "\r\n" : "\n");
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0)
      return true;
  }
  return false;
}

bool copy_channel::finish(int wait_status, std::chrono::nanoseconds patience) {
  if (socket_)
    backlog_.add(copy_kind::status, std::to_string(wait_status));
  return await_observer(patience);
}

bool copy_channel::await_observer(std::chrono::nanoseconds patience) {
  const auto until = clock::now() + patience;
  while (socket_ && !finished_) {
    send_backlog();
    const std::chrono::nanoseconds left = until - clock::now();
    if (left.count() <= 0)
      return false;
    const short wanted = has_backlog() ? POLLIN | POLLOUT : POLLIN;
    pollfd one{socket_.get(), wanted, 0};
    const timespec time = {left / std::chrono::seconds{1},
                           (left % std::chrono::seconds{1}).count()};
    if (::ppoll(&one, 1, &time, nullptr) > 0 && (one.revents & (POLLIN | POLLHUP)) != 0)
      take_notices();
  }
  return true;
}

} // namespace gasoline
