#include "transport/attach/attach_call.hpp"

#include "config/values/attach_address.hpp"
#include "transport/attach/peer_user.hpp"
#include "transport/descriptor_write.hpp"

#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace gasoline {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

tl::unexpected<attach_problem> failed(attach_failure kind, std::string sentence) {
  return tl::unexpected(attach_problem{kind, std::move(sentence)});
}

/// Never waits: a listener whose queue is full counts as none.
file_descriptor connect_to(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto text = path.string();
  if (text.empty() || text.size() > socket_path_bytes)
    return {};
  std::memcpy(address.sun_path, text.data(), text.size());
  file_descriptor fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return {};
  return fd;
}

/// Waits for bytes and adds them; false at the end of the stream.
bool receive_more(int fd, std::string& into) {
  std::array<char, 4096> piece;
  const auto n = ::recv(fd, piece.data(), piece.size(), MSG_DONTWAIT);
  if (n > 0)
    into.append(piece.data(), static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

enum class line_wait { came, ended, late };

line_wait wait_for_line(int fd, std::string& into, milliseconds patience) {
  const auto end = clock::now() + patience;
  while (into.find('\n') == std::string::npos) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - clock::now()).count();
    pollfd p{fd, POLLIN, 0};
    if (left <= 0 || ::poll(&p, 1, static_cast<int>(left)) == 0)
      return line_wait::late;
    if (!receive_more(fd, into))
      return line_wait::ended;
  }
  return line_wait::came;
}

std::string take_line(std::string& from) {
  const auto end = from.find('\n');
  auto line = from.substr(0, end);
  from.erase(0, end + 1);
  return line;
}

std::string refusal_in(const std::string& line) {
  const auto document = nlohmann::json::parse(line, nullptr, false);
  return document.is_object() && document.contains("error") && document["error"].is_string()
             ? document["error"].get<std::string>()
             : std::string{};
}

} // namespace

tl::expected<attach_call, attach_problem>
call_attached_engine(const std::filesystem::path& path, attach_role role, milliseconds patience) {
  attach_call call;
  call.socket = connect_to(path);
  if (!call.socket)
    return failed(attach_failure::absent, "No engine listens at " + path.string() + ".");
  const int fd = call.socket.get();
  if (!is_own_user(fd))
    return failed(attach_failure::foreign,
                  "The attach socket " + path.string() + " belongs to another user.");
  const auto greeting = hello_text(role) + '\n';
  if (write_what_fits(fd, greeting) != greeting.size())
    return failed(attach_failure::absent, "The engine at " + path.string() + " has gone.");
  switch (wait_for_line(fd, call.rest, patience)) {
  case line_wait::late:
    return failed(attach_failure::silent, "The engine at " + path.string() + " does not answer.");
  case line_wait::ended:
    return failed(attach_failure::absent, "The engine at " + path.string() + " takes no clients.");
  case line_wait::came:
    break;
  }
  const auto line = take_line(call.rest);
  auto hello = parse_hello(line);
  if (!hello) {
    const auto refusal = refusal_in(line);
    return failed(attach_failure::foreign, refusal.empty() ? hello.error().message : refusal);
  }
  call.engine = std::move(*hello);
  return call;
}

std::optional<std::string> read_line(attach_call& call, milliseconds patience) {
  if (wait_for_line(call.socket.get(), call.rest, patience) != line_wait::came)
    return std::nullopt;
  return take_line(call.rest);
}

} // namespace gasoline
