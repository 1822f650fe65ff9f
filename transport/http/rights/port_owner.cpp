#include "transport/http/rights/port_owner.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

namespace gasoline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view listening = "0A"; // TCP_LISTEN in /proc/net/tcp

std::optional<std::uint16_t> port_of(std::string_view hex_address) {
  const auto colon = hex_address.rfind(':');
  if (colon == std::string_view::npos)
    return std::nullopt;
  const std::string_view digits = hex_address.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port, 16);
  if (error != std::errc{})
    return std::nullopt;
  return port;
}

/// Adds `socket:[INODE]`, as links in /proc/PID/fd name it, of each listener on `port`.
void add_listeners(const fs::path& table, std::uint16_t port, std::set<std::string>& links) {
  std::ifstream file(table);
  std::string line;
  std::getline(file, line); // column titles
  while (std::getline(file, line)) {
    std::istringstream columns(line);
    std::string slot, local, remote, state, queues, timer, retransmits, uid, timeout, inode;
    columns >> slot >> local >> remote >> state >> queues >> timer >> retransmits >> uid >>
        timeout >> inode;
    if (columns && state == listening && port_of(local) == port)
      links.insert("socket:[" + inode + "]");
  }
}

std::optional<std::uint32_t> pid_of(const std::string& name) {
  std::uint32_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (error != std::errc{} || end != name.data() + name.size())
    return std::nullopt;
  return pid;
}

bool holds_one_of(const fs::path& process, const std::set<std::string>& links) {
  std::error_code ec;
  fs::directory_iterator it(process / "fd", ec);
  for (; !ec && it != fs::directory_iterator(); it.increment(ec)) {
    std::error_code unreadable;
    if (links.count(fs::read_symlink(it->path(), unreadable).string()) != 0)
      return true;
  }
  return false;
}

std::string program_of(const fs::path& process) {
  std::ifstream file(process / "comm");
  std::string name;
  std::getline(file, name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c < 0x20 || c > 0x7E; }, '?');
  return name;
}

} // namespace

std::optional<port_owner> find_port_owner(std::uint16_t port, const std::filesystem::path& proc) {
  std::set<std::string> links;
  add_listeners(proc / "net" / "tcp", port, links);
  add_listeners(proc / "net" / "tcp6", port, links);
  if (links.empty())
    return std::nullopt;
  std::error_code ec;
  fs::directory_iterator it(proc, ec);
  for (; !ec && it != fs::directory_iterator(); it.increment(ec)) {
    const auto pid = pid_of(it->path().filename().string());
    if (pid && holds_one_of(it->path(), links))
      return port_owner{*pid, program_of(it->path())};
  }
  return std::nullopt;
}

} // namespace gasoline
