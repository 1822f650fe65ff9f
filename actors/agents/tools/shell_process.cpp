#include "actors/agents/tools/shell_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <system_error>

namespace gasoline {
namespace {

constexpr std::array<std::string_view, 11> harmless_variables{
    "PATH",     "HOME", "USER",   "LOGNAME", "SHELL",   "LANG",
    "LANGUAGE", "TZ",   "TMPDIR", "LC_ALL",  "LC_CTYPE"};

/// What this program ignores or handles, and a child would inherit as ignored.
constexpr std::array<int, 8> reset_signals{SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,
                                           SIGALRM, SIGTERM, SIGCHLD, SIGTSTP};

constexpr int first_foreign_descriptor = 3;

/// Owns the two descriptions that `posix_spawn` takes.
class spawn_description {
 public:
  spawn_description() {
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawn_file_actions_init(&actions_);
  }
  spawn_description(const spawn_description&) = delete;
  spawn_description& operator=(const spawn_description&) = delete;
  ~spawn_description() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  void describe(int output, const std::string& directory) {
    sigset_t none;
    sigset_t defaults;
    ::sigemptyset(&none);
    ::sigemptyset(&defaults);
    for (const int signal : reset_signals)
      ::sigaddset(&defaults, signal);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &defaults);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str());
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, first_foreign_descriptor);
  }

  int spawn(pid_t& pid, std::string command) {
    auto variables = shell_environment();
    std::vector<char*> environment;
    environment.reserve(variables.size() + 1);
    for (auto& variable : variables)
      environment.push_back(variable.data());
    environment.push_back(nullptr);
    std::string shell = "/bin/sh";
    std::string option = "-c";
    std::array<char*, 4> arguments{shell.data(), option.data(), command.data(), nullptr};
    return ::posix_spawn(&pid, shell.c_str(), &actions_, &attributes_, arguments.data(),
                         environment.data());
  }

 private:
  posix_spawnattr_t attributes_{};
  posix_spawn_file_actions_t actions_{};
};

} // namespace

std::vector<std::string> shell_environment() {
  std::vector<std::string> out{"TERM=dumb"};
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text{*variable};
    const auto name = text.substr(0, text.find('='));
    if (std::find(harmless_variables.begin(), harmless_variables.end(), name) !=
        harmless_variables.end())
      out.emplace_back(text);
  }
  return out;
}

result_or<shell_process> start_shell(const std::string& command, const std::string& directory) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return tl::unexpected(
        user_error{"No pipe for the command: " + std::generic_category().message(errno) + "."});
  shell_process out;
  out.output = file_descriptor{ends[0]};
  const file_descriptor writing{ends[1]};
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  spawn_description description;
  description.describe(writing.get(), directory);
  if (const int error = description.spawn(out.pid, command); error == E2BIG)
    return tl::unexpected(user_error{"The command is too long; put it into a file and run that."});
  else if (error != 0)
    return tl::unexpected(user_error{"The command cannot be started in " + directory + ": " +
                                     std::generic_category().message(error) + "."});
  return out;
}

void signal_group(pid_t pid, int signal) {
  ::kill(-pid, signal);
}

std::string wait_for_end(pid_t pid) {
  siginfo_t about{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &about, WEXITED | WNOWAIT) != 0)
    if (errno != EINTR)
      return "its end cannot be seen";
  if (about.si_code == CLD_EXITED)
    return about.si_status == 0 ? std::string{} : "exit code " + std::to_string(about.si_status);
  return "ended by signal " + std::to_string(about.si_status) + " (" +
         std::string{::strsignal(about.si_status)} + ")";
}

void reap(pid_t pid) {
  signal_group(pid, SIGKILL);
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

} // namespace gasoline
