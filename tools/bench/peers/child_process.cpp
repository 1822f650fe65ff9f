#include "tools/bench/peers/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace gasoline::bench {
namespace {

constexpr int patience_ms = 3000;

[[noreturn]] void become(const std::vector<std::string>& command, int input, int output) {
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const auto& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

} // namespace

child_process::child_process(const std::vector<std::string>& command) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0)
    return;
  pid_ = ::fork();
  if (pid_ == 0)
    become(command, in[0], out[1]);
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  output_ = out[0];
}

child_process::~child_process() {
  ::close(input_);
  for (int waited = 0; waited < patience_ms; waited += 10) {
    if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
      ::close(output_);
      return;
    }
    ::poll(nullptr, 0, 10);
    if (waited == patience_ms / 6)
      ::kill(pid_, SIGTERM);
  }
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  ::close(output_);
}

void child_process::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::write(input_, bytes.data(), bytes.size());
    if (n <= 0)
      return;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::optional<std::string> child_process::read_line(int timeout_ms) {
  for (;;) {
    if (const auto end = buffered_.find('\n'); end != std::string::npos) {
      auto line = buffered_.substr(0, end);
      buffered_.erase(0, end + 1);
      return line;
    }
    pollfd p{output_, POLLIN, 0};
    if (::poll(&p, 1, timeout_ms) != 1)
      return std::nullopt;
    std::array<char, 65536> buffer{};
    const auto n = ::read(output_, buffer.data(), buffer.size());
    if (n <= 0)
      return std::nullopt;
    buffered_.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

} // namespace gasoline::bench
