#include "transport/cdp/browser_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace gasoline {
namespace {

/// Where the browser reads commands and writes what it has to say.
constexpr int command_descriptor = 3;
constexpr int message_descriptor = 4;
constexpr int first_free_descriptor = 5;

constexpr std::array<int, 8> usual_signals{SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,
                                           SIGALRM, SIGTERM, SIGCHLD, SIGXFSZ};

struct pipe_pair {
  file_descriptor reading; ///< empty: there is no pipe
  file_descriptor writing;
};

/// Above the numbers that the browser gets, so that putting them in place overwrites none.
pipe_pair open_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return {};
  const file_descriptor reading{ends[0]};
  const file_descriptor writing{ends[1]};
  pipe_pair out;
  out.reading = file_descriptor{::fcntl(ends[0], F_DUPFD_CLOEXEC, first_free_descriptor)};
  out.writing = file_descriptor{::fcntl(ends[1], F_DUPFD_CLOEXEC, first_free_descriptor)};
  return out;
}

/// Owns the two descriptions that `posix_spawn` takes.
class start_description {
 public:
  start_description() {
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawn_file_actions_init(&actions_);
  }
  start_description(const start_description&) = delete;
  start_description& operator=(const start_description&) = delete;
  ~start_description() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }

  void describe(int commands, int messages) {
    sigset_t none;
    sigset_t defaults;
    ::sigemptyset(&none);
    ::sigemptyset(&defaults);
    for (const int signal : usual_signals)
      ::sigaddset(&defaults, signal);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &defaults);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, commands, command_descriptor);
    ::posix_spawn_file_actions_adddup2(&actions_, messages, message_descriptor);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, first_free_descriptor);
  }

  int start(pid_t& pid, std::vector<std::string> words) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (auto& word : words)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return ::posix_spawn(&pid, words.front().c_str(), &actions_, &attributes_, arguments.data(),
                         ::environ);
  }

 private:
  posix_spawnattr_t attributes_{};
  posix_spawn_file_actions_t actions_{};
};

} // namespace

result_or<browser_process> start_browser(const std::vector<std::string>& words) {
  auto commands = open_pipe();
  auto messages = open_pipe();
  if (!commands.writing || !messages.writing)
    return tl::unexpected(
        user_error{"No pipe for the browser: " + std::generic_category().message(errno) + "."});
  ::fcntl(commands.writing.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(messages.reading.get(), F_SETFL, O_NONBLOCK);
  start_description description;
  description.describe(commands.reading.get(), messages.writing.get());
  browser_process out;
  if (const int error = description.start(out.pid, words); error != 0)
    return tl::unexpected(user_error{"The browser " + words.front() + " cannot be started: " +
                                     std::generic_category().message(error) + "."});
  out.commands = std::move(commands.writing);
  out.messages = std::move(messages.reading);
  return out;
}

void kill_browser(pid_t pid) {
  ::kill(-pid, SIGKILL);
}

bool has_ended(pid_t pid) {
  return ::waitpid(pid, nullptr, WNOHANG) != 0;
}

} // namespace gasoline
