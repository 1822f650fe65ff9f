#include "actors/agents/tools/shell_process.hpp"

#include "actors/agents/tools/command_supervisor.hpp"
#include "actors/agents/tools/user_file_mask.hpp"

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
#include <utility>

namespace gasoline {
namespace {

constexpr std::array<std::string_view, 12> harmless_variables{
    "PATH",     "HOME", "USER",   "LOGNAME", "SHELL",    "LANG",
    "LANGUAGE", "TZ",   "TMPDIR", "LC_ALL",  "LC_CTYPE", user_file_mask_variable};

/// What this program ignores or handles, and a child would inherit as ignored.
constexpr std::array<int, 8> reset_signals{SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,
                                           SIGALRM, SIGTERM, SIGCHLD, SIGTSTP};

constexpr int first_foreign_descriptor = supervisor_lifeline + 1;

/// This program, also when its file was replaced since it started.
constexpr const char* own_program = "/proc/self/exe";

struct pipe_ends {
  file_descriptor reading; ///< empty: there is no pipe
  file_descriptor writing;
};

/// Their numbers are above those that the supervisor gets, so that putting them in place overwrites
/// none of them.
pipe_ends make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return {};
  const file_descriptor reading{ends[0]};
  const file_descriptor writing{ends[1]};
  pipe_ends out;
  out.reading = file_descriptor{::fcntl(ends[0], F_DUPFD_CLOEXEC, first_foreign_descriptor)};
  out.writing = file_descriptor{::fcntl(ends[1], F_DUPFD_CLOEXEC, first_foreign_descriptor)};
  return out;
}

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

  void describe(int output, int lifeline, const std::string& directory) {
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
    ::posix_spawn_file_actions_adddup2(&actions_, lifeline, supervisor_lifeline);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, first_foreign_descriptor);
  }

  int spawn(pid_t& pid, std::string command) {
    auto variables = shell_environment();
    std::vector<char*> environment;
    environment.reserve(variables.size() + 1);
    for (auto& variable : variables)
      environment.push_back(variable.data());
    environment.push_back(nullptr);
    std::string name = "gasoline";
    std::string role = supervisor_argument;
    std::array<char*, 4> arguments{name.data(), role.data(), command.data(), nullptr};
    return ::posix_spawn(&pid, own_program, &actions_, &attributes_, arguments.data(),
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
  auto output = make_pipe();
  auto life = make_pipe();
  if (!output.reading || !life.reading)
    return tl::unexpected(
        user_error{"No pipe for the command: " + std::generic_category().message(errno) + "."});
  ::fcntl(output.reading.get(), F_SETFL, O_NONBLOCK);
  spawn_description description;
  description.describe(output.writing.get(), life.reading.get(), directory);
  shell_process out;
  out.output = std::move(output.reading);
  out.lifeline = std::move(life.writing);
  if (const int error = description.spawn(out.pid, command); error == E2BIG)
    return tl::unexpected(user_error{"The command is too long; put it into a file and run that."});
  else if (error != 0)
    return tl::unexpected(user_error{"The command cannot be started in " + directory + ": " +
                                     std::generic_category().message(error) + "."});
  return out;
}

void ask_to_end(pid_t pid) {
  ::kill(pid, SIGTERM);
}

void kill_tree(pid_t pid) {
  ::kill(pid, supervisor_kill_signal);
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
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

} // namespace gasoline
