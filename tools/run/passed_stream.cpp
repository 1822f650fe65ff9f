#include "tools/run/passed_stream.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t piece_bytes = 64U << 10U;

bool is_pipe(int fd) {
  struct stat found {};
  return ::fstat(fd, &found) == 0 && S_ISFIFO(found.st_mode);
}

/// Waits until the stream takes more, where a call has just said that it does not. False: the call
/// failed for another reason.
bool may_try_again(int to) {
  if (errno == EAGAIN) {
    pollfd one{to, POLLOUT, 0};
    ::poll(&one, 1, -1);
    return true;
  }
  return errno == EINTR;
}

/// Writes all, though somebody else may have made our output non-blocking; false: nobody reads any
/// more.
bool write_whole(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto put = ::write(to, bytes.data(), bytes.size());
    if (put >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(put));
    else if (!may_try_again(to))
      return false;
  }
  return true;
}

} // namespace

passed_stream::passed_stream(file_descriptor from, int to, copy_kind kind, bool keeps_on)
    : from_(std::move(from)),
      to_(to),
      kind_(kind),
      keeps_on_(keeps_on),
      moves_pages_(!keeps_on && is_pipe(from_.get()) && is_pipe(to)) {}

std::size_t passed_stream::pass(copy_channel& channel) {
  if (!moves_pages_ || !channel.is_behind()) {
    look_at_noted(channel);
    return copy_bytes(channel);
  }
  return move_pages(channel);
}

std::size_t passed_stream::copy_bytes(copy_channel& channel) {
  static std::array<char, piece_bytes> piece;
  const auto got = ::read(from_.get(), piece.data(), piece.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  if (got <= 0) { // a terminal ends with EIO
    end(channel);
    return 0;
  }
  const auto size = static_cast<std::size_t>(got);
  const bool read_by_somebody = write_whole(to_, {piece.data(), size});
  channel.copy(kind_, {piece.data(), size});
  // The command gets the broken pipe that it would have had.
  if (!read_by_somebody && !keeps_on_)
    end(channel);
  return size;
}

std::size_t passed_stream::move_pages(copy_channel& channel) {
  if (!noted_)
    noted_.emplace();
  const auto noted = noted_->note(from_.get());
  channel.leave_out(noted_->take_left_out());
  if (noted < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  if (noted < 0) {
    moves_pages_ = false;
    return copy_bytes(channel);
  }
  const auto size = static_cast<std::size_t>(noted);
  if (size == 0 || !move(size))
    end(channel);
  return size;
}

bool passed_stream::move(std::size_t bytes) {
  while (bytes > 0) {
    // The command's end does not block, so neither does this call.
    const auto moved = ::splice(from_.get(), nullptr, to_, nullptr, bytes, SPLICE_F_MOVE);
    if (moved > 0)
      bytes -= static_cast<std::size_t>(moved);
    else if (moved == 0 || !may_try_again(to_))
      return false;
  }
  return true;
}

void passed_stream::look_at_noted(copy_channel& channel) {
  if (!noted_)
    return;
  std::array<char, piece_bytes> piece{};
  while (const auto got = noted_->take(piece.data(), piece.size()))
    channel.copy(kind_, {piece.data(), got});
  noted_.reset();
}

void passed_stream::end(copy_channel& channel) {
  from_ = file_descriptor{};
  look_at_noted(channel);
}

} // namespace gasoline
