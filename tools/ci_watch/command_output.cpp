#include "tools/ci_watch/command_output.hpp"

#include "messages/base/file_descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace gasoline {
namespace {

constexpr int not_found = 127;

struct pipe_ends {
  file_descriptor read;
  file_descriptor write;
};

pipe_ends make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return {};
  return {file_descriptor{ends[0]}, file_descriptor{ends[1]}};
}

/// Programs ask nothing, colour nothing and look for no newer version of themselves.
std::vector<std::string> quiet_environment() {
  std::vector<std::string> out{"GH_PROMPT_DISABLED=1",
                               "GH_NO_UPDATE_NOTIFIER=1",
                               "NO_COLOR=1",
                               "GLAB_CHECK_UPDATE=false",
                               "NO_PROMPT=1",
                               "GH_PAGER=cat",
                               "PAGER=cat"};
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string text{*one};
    const auto name = text.substr(0, text.find('=') + 1);
    bool is_ours = false;
    for (const auto& own : out)
      is_ours = is_ours || own.starts_with(name);
    if (!is_ours)
      out.push_back(text);
  }
  return out;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (auto& text : texts)
    out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

void keep_last(std::string& text, std::size_t most_bytes) {
  if (text.size() > 2 * most_bytes)
    text.erase(0, text.size() - most_bytes);
}

/// Whether there may be more.
bool take_bytes(int descriptor, std::string& out) {
  std::array<char, 65536> piece{};
  const auto got = ::read(descriptor, piece.data(), piece.size());
  if (got > 0)
    out.append(piece.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

pid_t start(std::vector<std::string> command, int out, int errors, int& problem) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  auto variables = quiet_environment();
  const auto environment = pointers_to(variables);
  const auto words = pointers_to(command);
  pid_t pid = -1;
  problem = ::posix_spawnp(&pid, words[0], &actions, nullptr, words.data(), environment.data());
  ::posix_spawn_file_actions_destroy(&actions);
  return problem == 0 ? pid : -1;
}

} // namespace

command_output output_of(const std::vector<std::string>& command, std::chrono::seconds patience,
                         std::size_t most_bytes) {
  using clock = std::chrono::steady_clock;
  command_output result;
  auto out = make_pipe();
  auto errors = make_pipe();
  int problem = 0;
  const pid_t pid = start(command, out.write.get(), errors.write.get(), problem);
  out.write = file_descriptor{};
  errors.write = file_descriptor{};
  if (pid < 0) {
    result.is_missing = problem == ENOENT || problem == EACCES;
    return result;
  }
  const auto deadline = clock::now() + patience;
  std::array<pollfd, 2> watched{{{out.read.get(), POLLIN, 0}, {errors.read.get(), POLLIN, 0}}};
  const std::array<std::string*, 2> texts{&result.out, &result.errors};
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock::now()).count();
    if (left <= 0) {
      result.is_late = true;
      ::kill(pid, SIGKILL);
      break;
    }
    if (::poll(watched.data(), watched.size(), static_cast<int>(left)) < 0 && errno != EINTR)
      break;
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].fd < 0 || watched[i].revents == 0)
        continue;
      if (!take_bytes(watched[i].fd, *texts[i]))
        watched[i].fd = -1;
      keep_last(*texts[i], most_bytes);
    }
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status))
    result.exit_code = WEXITSTATUS(status);
  result.is_missing = result.exit_code == not_found && result.out.empty();
  return result;
}

} // namespace gasoline
