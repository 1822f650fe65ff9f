#include "transport/attach/attach_pump.hpp"

#include "transport/descriptor_write.hpp"
#include "transport/json_rpc.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <utility>

namespace gasoline {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Nothing that an engine says is refused for its size or depth; it has passed limits of its own.
limits_of<attach_room, client_room> engine_limits(limits_of<attach_room, client_room> base) {
  base.client.rpc_depth = std::numeric_limits<std::uint64_t>::max();
  base.client.batch_messages = std::numeric_limits<std::uint64_t>::max();
  base.client.message_values = std::numeric_limits<std::uint64_t>::max();
  return base;
}

constexpr short broken = POLLERR | POLLNVAL | POLLHUP;

bool is_transient(int error) {
  return error == EINTR || error == EAGAIN || error == EWOULDBLOCK;
}

int pending_error(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : 0;
}

/// Drops what is out from the front of `text`, now and then rather than for each piece.
void compact(std::string& text, std::size_t& done, std::size_t threshold) {
  if (done < text.size() && done < threshold)
    return;
  text.erase(0, done);
  done = 0;
}

} // namespace

attach_pump::attach_pump(int input, int output, const limits_of<attach_room, client_room>& limit)
    : input_(input),
      output_(output),
      limit_(limit),
      engine_limit_(engine_limits(limit)),
      client_splitter_(limit.client.line_bytes),
      engine_splitter_(std::numeric_limits<std::size_t>::max()) {}

pump_end attach_pump::run(int engine, std::string_view rest) {
  engine_splitter_ = line_splitter{std::numeric_limits<std::size_t>::max()};
  engine_told_end_ = false;
  was_reset_ = false;
  last_progress_ = steady_clock::now();
  if (std::exchange(connected_before_, true))
    for (const auto& line : memory_.handshake())
      leaving_ += line + '\n';
  engine_splitter_.feed(
      rest, [this](std::string_view text) { take_engine_line(text); }, [] {});
  for (;;)
    if (const auto end = step(engine))
      return *end == pump_end::engine_lost ? on_engine_lost(engine) : *end;
}

std::optional<pump_end> attach_pump::step(int engine) {
  const bool out_waits = !to_client_.empty();
  const bool in_waits = !leaving_.empty() || !to_engine_.empty();
  const bool read_input = !input_ended_ && queued_bytes_ < limit_.attach.queue_bytes;
  const bool read_socket = to_client_.size() - told_ < limit_.attach.queue_bytes;
  std::array<pollfd, 3> fds{{
      {read_input ? input_ : -1, POLLIN, 0},
      {output_, static_cast<short>(out_waits ? POLLOUT : 0), 0},
      {engine, static_cast<short>((read_socket ? POLLIN : 0) | (in_waits ? POLLOUT : 0)), 0},
  }};
  const int ready = ::poll(fds.data(), fds.size(), patience());
  if (ready < 0 && errno != EINTR)
    return pump_end::client_gone;
  if (ready == 0)
    return pump_end::client_left; // it has left and the engine takes too long over it
  last_progress_ = steady_clock::now();
  if ((fds[1].revents & broken) != 0 || (fds[1].revents != 0 && !write_client()))
    return pump_end::client_gone;
  if (fds[0].revents != 0)
    read_client();
  if ((fds[2].revents & POLLOUT) != 0 && !write_engine(engine)) {
    drain_engine(engine);
    return pump_end::engine_lost;
  }
  if ((fds[2].revents & (POLLIN | broken)) != 0 && !read_engine(engine))
    return pump_end::engine_lost;
  if (input_ended_ && leaving_.empty() && to_engine_.empty() &&
      !std::exchange(engine_told_end_, true))
    ::shutdown(engine, SHUT_WR);
  return std::nullopt;
}

/// While the client is there, nothing is ever late.
int attach_pump::patience() const {
  if (!input_ended_)
    return -1;
  const auto end = last_progress_ + milliseconds{limit_.attach.search_ms};
  const auto left = std::chrono::duration_cast<milliseconds>(end - steady_clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

// From the client

void attach_pump::read_client() {
  std::array<char, 64U << 10U> piece;
  const auto n = ::read(input_, piece.data(), piece.size());
  if (n < 0 && is_transient(errno))
    return;
  const auto line = [this](std::string_view text) { take_client_line(text); };
  const auto overlong = [this] { tell_overlong(); };
  if (n > 0) {
    client_splitter_.feed({piece.data(), static_cast<std::size_t>(n)}, line, overlong);
    return;
  }
  client_splitter_.finish(line, overlong);
  input_ended_ = true;
}

void attach_pump::take_client_line(std::string_view text) {
  to_engine_.push_back({std::string{text} + '\n', decode_rpc(text, limit_)});
  queued_bytes_ += text.size() + 1;
}

void attach_pump::tell_overlong() {
  for (const auto& message : overlong_rpc(limit_).messages)
    if (const auto* fault = std::get_if<rpc_fault>(&message))
      tell_client(error_text(fault->id, fault->code, fault->message));
}

// To the engine

/// A line counts as sent once its first byte may have left.
void attach_pump::begin_line() {
  auto line = std::move(to_engine_.front());
  to_engine_.pop_front();
  queued_bytes_ -= line.text.size();
  if (memory_.is_stale(line.frame))
    return;
  memory_.sent(line.frame);
  leaving_ = line.text;
  last_ = std::move(line);
}

bool attach_pump::write_engine(int engine) {
  for (;;) {
    while (leaving_.empty() && !to_engine_.empty())
      begin_line();
    if (leaving_.empty())
      return true;
    const auto n = write_what_fits(engine, std::string_view{leaving_}.substr(left_));
    if (!n)
      return false;
    if (*n == 0)
      return true;
    left_ += *n;
    compact(leaving_, left_, limit_.attach.queue_bytes);
  }
}

// From the engine

bool attach_pump::read_engine(int engine) {
  std::array<char, 64U << 10U> piece;
  const auto n = ::recv(engine, piece.data(), piece.size(), MSG_DONTWAIT);
  if (n < 0 && is_transient(errno))
    return true;
  if (n <= 0) {
    was_reset_ = n < 0 && errno == ECONNRESET;
    return false;
  }
  engine_splitter_.feed(
      {piece.data(), static_cast<std::size_t>(n)},
      [this](std::string_view text) { take_engine_line(text); }, [] {});
  write_client();
  return true;
}

/// What an engine has said before it died counts.
void attach_pump::drain_engine(int engine) {
  pollfd p{engine, POLLIN, 0};
  while (::poll(&p, 1, 0) == 1 && read_engine(engine)) {
  }
}

void attach_pump::take_engine_line(std::string_view text) {
  if (memory_.received(decode_rpc(text, engine_limit_)))
    tell_client(text);
}

/// Part of a line that an engine did not finish never reaches the client. An engine that was told
/// that the client leaves has answered all it will.
pump_end attach_pump::on_engine_lost(int engine) {
  if (engine_told_end_)
    return pump_end::client_left;
  take_back_last_line(engine);
  for (const auto& line : memory_.lose_engine())
    tell_client(line);
  leaving_.clear();
  left_ = 0;
  last_ = {};
  return pump_end::engine_lost;
}

/// An engine that has not read all that was sent (the kernel calls it a reset) has not seen the end
/// of the last line, and cannot have acted on it: the next one gets it.
void attach_pump::take_back_last_line(int engine) {
  const bool unread = left_ < leaving_.size() || was_reset_ || pending_error(engine) == ECONNRESET;
  if (!unread || last_.text.empty() || !memory_.take_back(last_.frame))
    return;
  queued_bytes_ += last_.text.size();
  to_engine_.push_front(std::move(last_));
}

// To the client

void attach_pump::tell_client(std::string_view line) {
  to_client_ += line;
  to_client_ += '\n';
}

/// False: nobody reads any more.
bool attach_pump::write_client() {
  while (told_ < to_client_.size()) {
    const auto n = write_what_fits(output_, std::string_view{to_client_}.substr(told_));
    if (!n)
      return false;
    if (*n == 0)
      break;
    told_ += *n;
  }
  compact(to_client_, told_, limit_.attach.queue_bytes);
  return true;
}

void attach_pump::flush() {
  const auto end = steady_clock::now() + milliseconds{limit_.client.leave_ms};
  while (write_client() && !to_client_.empty()) {
    const auto left = std::chrono::duration_cast<milliseconds>(end - steady_clock::now()).count();
    pollfd p{output_, POLLOUT, 0};
    if (left <= 0 || ::poll(&p, 1, static_cast<int>(left)) <= 0 || (p.revents & broken) != 0)
      return;
  }
}

} // namespace gasoline
