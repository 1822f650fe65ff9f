#include "transport/attach/agent_process.hpp"

#include "messages/base/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_ancestors = 24;
constexpr std::size_t most_agent_processes = 4;

constexpr std::array<std::string_view, 9> shells{"sh",  "bash", "dash", "zsh",   "fish",
                                                 "ash", "ksh",  "env",  "script"};

bool starts_programs(std::string_view name) {
  const auto is_runner = name.substr(0, 3) == "npm" || name.substr(0, 3) == "npx";
  return is_runner || std::find(shells.begin(), shells.end(), name) != shells.end();
}

/// The words behind the name in `/proc/PID/stat`, from the state on.
struct process_row {
  std::string name;
  pid_t parent = 0;
  std::uint64_t started = 0;
};

std::string read_stat(pid_t pid) {
  const auto path = "/proc/" + std::to_string(pid) + "/stat";
  const file_descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::array<char, 1024> text{};
  const auto n = file ? ::read(file.get(), text.data(), text.size()) : 0;
  return {text.data(), n > 0 ? static_cast<std::size_t>(n) : 0};
}

template <class T>
T number_in(std::string_view word) {
  T out{};
  std::from_chars(word.data(), word.data() + word.size(), out);
  return out;
}

std::optional<process_row> row_of(pid_t pid) {
  const auto text = read_stat(pid);
  const auto open = text.find('(');
  const auto close = text.rfind(')'); // a name may hold both
  if (open == std::string::npos || close == std::string::npos || close < open)
    return std::nullopt;
  process_row out;
  out.name = text.substr(open + 1, close - open - 1);
  std::string_view rest = std::string_view{text}.substr(close + 1);
  constexpr std::size_t parent_word = 2; // after the state
  constexpr std::size_t start_word = 20;
  for (std::size_t word = 1; word <= start_word && !rest.empty(); ++word) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const auto end = std::min(rest.find(' '), rest.size());
    if (word == parent_word)
      out.parent = number_in<pid_t>(rest.substr(0, end));
    if (word == start_word)
      out.started = number_in<std::uint64_t>(rest.substr(0, end));
    rest.remove_prefix(end);
  }
  return out;
}

} // namespace

std::vector<process_ancestor> ancestors_of(pid_t pid) {
  std::vector<process_ancestor> out;
  auto row = row_of(pid);
  while (row && row->parent > 0 && out.size() < most_ancestors) {
    const auto parent = row->parent;
    row = row_of(parent);
    if (row)
      out.push_back({{parent, row->started}, row->name});
  }
  return out;
}

std::vector<process_key> agent_processes(const std::vector<process_ancestor>& ancestors) {
  std::vector<process_key> out;
  for (const auto& a : ancestors) {
    const bool first_of_machine = a.key.pid == 1;
    if (starts_programs(a.name)) {
      if (out.empty() && !first_of_machine)
        continue;
      break;
    }
    if (out.size() == most_agent_processes || (first_of_machine && !out.empty()))
      break;
    out.push_back(a.key);
  }
  return out;
}

agent_place place_of(pid_t pid, std::string directory) {
  return {agent_processes(ancestors_of(pid)), std::move(directory)};
}

std::optional<pid_t> peer_process(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid <= 0)
    return std::nullopt;
  return peer.pid;
}

} // namespace gasoline
