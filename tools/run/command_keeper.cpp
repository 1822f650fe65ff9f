#include "tools/run/command_keeper.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

namespace gasoline {
namespace {

void report(int pipe, keeper_report::kind what, int value) {
  const keeper_report out{what, value};
  while (::write(pipe, &out, sizeof out) < 0 && errno == EINTR) {
  }
}

[[noreturn]] void become(std::vector<std::string> command, const command_streams& streams,
                         int reports, const sigset_t& mask) {
  if (streams.own_terminal) {
    ::setpgid(0, 0);
    ::tcsetpgrp(streams.input >= 0 && ::isatty(streams.input) == 1 ? streams.input : streams.output,
                ::getpgrp());
  }
  ::prctl(PR_SET_PDEATHSIG, streams.own_terminal ? SIGHUP : SIGTERM);
  ::dup2(streams.input, STDIN_FILENO);
  ::dup2(streams.output, STDOUT_FILENO);
  ::dup2(streams.error, STDERR_FILENO);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (auto& word : command)
    words.push_back(word.data());
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  const int problem = errno;
  report(reports, keeper_report::kind::not_started, problem);
  ::_exit(problem == ENOENT ? 127 : 126);
}

/// Closes all other descriptors: what the command writes ends when the command has closed it, and
/// what nobody reads any more is a broken pipe, which it would not be while the keeper had the end.
void hold_only(int one, int other) {
  const auto low = static_cast<unsigned>(std::min(one, other));
  const auto high = static_cast<unsigned>(std::max(one, other));
  if (low > 0)
    ::close_range(0, low - 1, 0);
  if (low + 1 < high)
    ::close_range(low + 1, high - 1, 0);
  ::close_range(high + 1, ~0U, 0);
}

[[noreturn]] void keep(const std::vector<std::string>& command, const command_streams& streams,
                       int reports, const sigset_t& mask) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (streams.own_terminal) {
    ::setsid();
    ::ioctl(streams.output, TIOCSCTTY, 0);
  }
  const auto child = ::fork();
  if (child == 0)
    become(command, streams, reports, mask);
  if (child < 0) {
    report(reports, keeper_report::kind::not_started, errno);
    ::_exit(126);
  }
  if (streams.own_terminal)
    ::setpgid(child, child);
  report(reports, keeper_report::kind::started, child);
  hold_only(reports, streams.own_terminal ? streams.output : reports);
  const int stops = streams.own_terminal ? WUNTRACED : 0;
  for (int status = 0;;) {
    const auto got = ::waitpid(child, &status, stops);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      break;
    report(reports, keeper_report::kind::changed, status);
    if (!WIFSTOPPED(status))
      break;
  }
  // When the leader of a session ends, its foreground group is hung up. What the command has left
  // running there has not deserved that.
  if (streams.own_terminal)
    ::tcsetpgrp(streams.output, ::getpgrp());
  ::_exit(0);
}

} // namespace

int start_kept(const std::vector<std::string>& command, const command_streams& streams) {
  std::array<int, 2> pipe{-1, -1};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
    return -1;
  // The command starts with the signals that this process was started with; the keeper heeds none.
  sigset_t all;
  sigset_t mask;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &mask);
  const auto keeper = ::fork();
  if (keeper == 0) {
    ::close(pipe[0]);
    keep(command, streams, pipe[1], mask);
  }
  const int problem = errno;
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::close(pipe[1]);
  if (keeper < 0) {
    ::close(pipe[0]);
    errno = problem;
    return -1;
  }
  return pipe[0];
}

} // namespace gasoline
