#include "tools/bench/peers/sse_readers.hpp"

#include "tools/bench/peers/http_client.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

namespace gasoline::bench {
namespace {

constexpr std::string_view stamp_key = "\"stamp\":";
constexpr std::size_t longest_stamp = 64;
constexpr std::size_t event_bytes = 1000;
constexpr std::chrono::seconds reading_patience{20};

std::uint64_t nanoseconds(clock::time_point at) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count());
}

/// The number and the time of a stamp `"N-T"`.
struct stamp {
  std::uint64_t number = 0;
  std::uint64_t at = 0;
};

bool read_stamp(std::string_view text, stamp& out) {
  const auto* end = text.data() + text.size();
  const auto number = std::from_chars(text.data() + 1, end, out.number);
  if (number.ec != std::errc{} || number.ptr == end || *number.ptr != '-')
    return false;
  const auto at = std::from_chars(number.ptr + 1, end, out.at);
  return at.ec == std::errc{} && at.ptr != end && *at.ptr == '"';
}

} // namespace

std::string stamped_event(std::uint64_t number) {
  std::string out{"{"};
  out.append(stamp_key).append("\"").append(std::to_string(number)).append("-");
  out.append(std::to_string(nanoseconds(clock::now()))).append("\",\"text\":\"");
  out.append(event_bytes - std::min(event_bytes, out.size() + 2), 'x');
  return out.append("\"}");
}

sse_readers::sse_readers(std::uint16_t port, const std::string& path, std::size_t count)
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  const auto request =
      "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n";
  readers_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    http_client http{port};
    http.send(request);
    if (http.receive_head() != 200)
      continue;
    auto& r = readers_[i];
    r.fd = ::dup(http.descriptor());
    epoll_event wanted{};
    wanted.events = EPOLLIN;
    wanted.data.u64 = i;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, r.fd, &wanted);
  }
}

sse_readers::~sse_readers() {
  for (const auto& r : readers_)
    if (r.fd >= 0)
      ::close(r.fd);
  ::close(epoll_);
}

void sse_readers::read_from(reader& r) {
  static std::array<char, 1U << 18U> buffer;
  const auto n = ::recv(r.fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (n == 0 || (n < 0 && errno != EAGAIN)) {
    ::close(r.fd);
    r.fd = -1;
    return;
  }
  if (n < 0)
    return;
  const std::string_view piece{buffer.data(), static_cast<std::size_t>(n)};
  stamp found;
  auto at = piece.rfind(stamp_key);
  bool known =
      at != std::string_view::npos && read_stamp(piece.substr(at + stamp_key.size()), found);
  if (!known && at != std::string_view::npos && at > 0) {
    at = piece.rfind(stamp_key, at - 1);
    known = at != std::string_view::npos && read_stamp(piece.substr(at + stamp_key.size()), found);
  }
  if (!known) {
    r.tail.append(piece.substr(0, longest_stamp));
    at = r.tail.rfind(stamp_key);
    known = at != std::string::npos &&
            read_stamp(std::string_view{r.tail}.substr(at + stamp_key.size()), found);
  }
  r.tail.assign(piece.substr(piece.size() - std::min(piece.size(), longest_stamp)));
  if (!known || found.number <= r.seen)
    return;
  r.seen = found.number;
  latency_.add(std::chrono::nanoseconds{nanoseconds(clock::now()) - found.at});
}

bool sse_readers::poll_once(int timeout_ms) {
  std::array<epoll_event, 256> ready;
  const auto n = ::epoll_wait(epoll_, ready.data(), static_cast<int>(ready.size()), timeout_ms);
  for (int i = 0; i < n; ++i)
    read_from(readers_[ready[static_cast<std::size_t>(i)].data.u64]);
  return n > 0;
}

void sse_readers::read_for(clock::duration time) {
  const auto end = clock::now() + time;
  for (auto left = time; left.count() > 0; left = end - clock::now())
    poll_once(
        static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(left).count()));
}

bool sse_readers::read_until(std::uint64_t number) {
  const auto end = clock::now() + reading_patience;
  while (slowest() < number)
    if (!poll_once(100) && clock::now() > end)
      return false;
  return true;
}

std::uint64_t sse_readers::slowest() const {
  std::uint64_t out = UINT64_MAX;
  for (const auto& r : readers_)
    if (r.fd >= 0)
      out = std::min(out, r.seen);
  return out;
}

std::size_t sse_readers::alive() const {
  std::size_t n = 0;
  for (const auto& r : readers_)
    n += r.fd >= 0 ? 1 : 0;
  return n;
}

latency_series sse_readers::take_latency() {
  return std::exchange(latency_, {});
}

} // namespace gasoline::bench
