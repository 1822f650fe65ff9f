#include "actors/agents/tools/command_supervisor.hpp"

#include "actors/agents/tools/user_file_mask.hpp"
#include "messages/base/file_descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

namespace gasoline {
namespace {

static_assert(supervisor_kill_signal == SIGUSR1);

sigset_t watched_signals() {
  sigset_t out;
  ::sigemptyset(&out);
  for (const int signal : {SIGCHLD, SIGTERM, supervisor_kill_signal})
    ::sigaddset(&out, signal);
  return out;
}

/// In the child: becomes the command, in a session and group of its own.
[[noreturn]] void become(const char* command) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setsid();
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  restore_user_file_mask();
  ::execl("/bin/sh", "/bin/sh", "-c", command, nullptr);
  ::_exit(127);
}

/// Kills the children that there are now; those of theirs are children of ours after that.
void kill_children() {
  std::ifstream children{"/proc/self/task/" + std::to_string(::getpid()) + "/children"};
  for (pid_t child = 0; children >> child;)
    ::kill(child, SIGKILL);
}

/// Ends everything that the command has left behind, generation by generation.
void end_descendants() {
  for (;;) {
    kill_children();
    if (::waitpid(-1, nullptr, 0) < 0 && errno == ECHILD)
      return;
  }
}

/// Takes the ends of children; answers that of the command once it has ended.
std::optional<int> take_ends(pid_t command) {
  std::optional<int> out;
  int status = 0;
  for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;)
    if (ended == command)
      out = status;
  return out;
}

/// Waits until the command has ended; nothing: it is to end now.
std::optional<int> wait_for(pid_t command, int signals) {
  std::array<pollfd, 2> watched{{{signals, POLLIN, 0}, {supervisor_lifeline, POLLIN, 0}}};
  for (;;) {
    if (auto end = take_ends(command))
      return end;
    if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR)
      return std::nullopt;
    if (watched[1].revents != 0) // the engine has ended
      return std::nullopt;
    signalfd_siginfo got{};
    if (::read(signals, &got, sizeof got) != sizeof got)
      continue;
    if (got.ssi_signo == SIGTERM)
      ::kill(-command, SIGTERM);
    else if (got.ssi_signo == supervisor_kill_signal)
      return std::nullopt;
  }
}

/// Ends this process as the command has ended.
int end_like(int status) {
  if (!WIFSIGNALED(status))
    return WEXITSTATUS(status);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int signal = WTERMSIG(status);
  ::signal(signal, SIG_DFL);
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, signal);
  ::sigprocmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(signal);
  return 128 + signal;
}

} // namespace

int supervise_command(const char* command) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::fcntl(supervisor_lifeline, F_SETFD, FD_CLOEXEC);
  const auto signals = watched_signals();
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  const file_descriptor news{::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK)};
  const auto child = ::fork();
  if (child == 0)
    become(command);
  if (child < 0)
    return 127;
  const auto end = wait_for(child, news.get());
  // What was written is read to its end by the engine, so nobody may hold the pipe any longer.
  end_descendants();
  return end_like(end.value_or(SIGKILL));
}

} // namespace gasoline
