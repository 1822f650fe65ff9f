#include "tools/run/copy_channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>

namespace gasoline {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t most_backlog_bytes = 8U << 20U;
constexpr std::size_t most_packet_bytes = 64U << 10U;
constexpr int socket_bytes = 1 << 20;

std::string packet_of(copy_kind kind, std::string_view payload) {
  std::string out(1, static_cast<char>(kind));
  out += payload;
  return out;
}

// What the observer must not get from its user's terminal: keys, and a hang-up before it has sent.
void leave_the_job() {
  ::setpgid(0, 0);
  for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGTSTP, SIGPIPE})
    ::signal(signal, SIG_IGN);
  ::setpriority(PRIO_PROCESS, 0, 5);
}

[[noreturn]] void become_observer(const run_options& options, int fd) {
  leave_the_job();
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

copy_channel::copy_channel(const run_options& options) {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return;
  for (const int end : ends)
    ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &socket_bytes, sizeof socket_bytes);
  const auto child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    become_observer(options, ends[1]);
  }
  ::close(ends[1]);
  fd_ = child > 0 ? ends[0] : -1;
  if (child < 0)
    ::close(ends[0]);
}

copy_channel::~copy_channel() {
  close();
}

void copy_channel::close() {
  if (fd_ >= 0)
    ::close(fd_);
  fd_ = -1;
  backlog_.clear();
  backlog_bytes_ = 0;
}

bool copy_channel::send(std::string_view packet) {
  while (fd_ >= 0) {
    if (::send(fd_, packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
      return true;
    if (errno == EINTR)
      continue;
    if (errno == EAGAIN || errno == ENOBUFS)
      return false;
    close();
  }
  return true;
}

void copy_channel::keep(std::string packet) {
  backlog_bytes_ += packet.size();
  backlog_.push_back(std::move(packet));
}

void copy_channel::copy(copy_kind kind, std::string_view bytes) {
  for (; fd_ >= 0 && !bytes.empty();
       bytes.remove_prefix(std::min(bytes.size(), most_packet_bytes))) {
    const auto piece = bytes.substr(0, most_packet_bytes);
    if (backlog_bytes_ + piece.size() > most_backlog_bytes) {
      gap_ += piece.size();
      dropped_ += piece.size();
      continue;
    }
    if (gap_ > 0)
      keep(packet_of(copy_kind::gap, std::to_string(gap_)));
    gap_ = 0;
    keep(packet_of(kind, piece));
  }
  flush();
}

void copy_channel::flush() {
  while (!backlog_.empty() && send(backlog_.front())) {
    if (backlog_.empty())
      return; // the observer is gone
    backlog_bytes_ -= backlog_.front().size();
    backlog_.pop_front();
  }
}

bool copy_channel::take_notices() {
  std::array<char, 4096> packet{};
  while (fd_ >= 0) {
    const auto got = ::recv(fd_, packet.data(), packet.size(), MSG_DONTWAIT);
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

void copy_channel::finish(int wait_status, std::chrono::milliseconds patience) {
  if (gap_ > 0)
    keep(packet_of(copy_kind::gap, std::to_string(gap_)));
  gap_ = 0;
  keep(packet_of(copy_kind::status, std::to_string(wait_status)));
  const auto until = clock::now() + patience;
  while (fd_ >= 0 && !finished_) {
    flush();
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - clock::now()).count();
    if (left <= 0)
      return;
    const short wanted = has_backlog() ? POLLIN | POLLOUT : POLLIN;
    pollfd one{fd_, wanted, 0};
    if (::poll(&one, 1, static_cast<int>(left)) > 0 && (one.revents & (POLLIN | POLLHUP)) != 0 &&
        !take_notices())
      return;
  }
}

} // namespace gasoline
