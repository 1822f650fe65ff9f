#include "transport/websocket/websocket_output.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_waiting_pongs = 16;

// What the kernel takes in one gather write (IOV_MAX), and more bytes than any socket takes at
// once.
constexpr std::size_t most_parts = 1024;
constexpr std::size_t most_bytes = 1U << 20U;

// An idle connection keeps no more room than this.
constexpr std::size_t pieces_kept = 4;

} // namespace

void websocket_output::add(const std::vector<frame_text>& frames) {
  if (ended_)
    return;
  pieces_.reserve(pieces_.size() + frames.size());
  for (const auto& frame : frames)
    pieces_.push_back(
        {websocket_header(websocket_opcode::text, frame->size()), frame, false, true});
}

void websocket_output::add_pong(std::string_view payload) {
  if (ended_)
    return;
  if (pongs_.size() == most_waiting_pongs)
    pongs_.pop_front();
  pongs_.push_back(control_frame(websocket_opcode::pong, payload));
}

void websocket_output::add_close(std::uint16_t code, std::string_view reason) {
  if (std::exchange(ended_, true))
    return;
  insert_pongs();
  pongs_.clear();
  pieces_.push_back({{},
                     std::make_shared<const std::string>(
                         control_frame(websocket_opcode::close, close_payload(code, reason))),
                     false,
                     false});
}

/// Control frames may stand between the frames of other messages, but not within a frame.
void websocket_output::insert_pongs() {
  if (pongs_.empty() || pongs_placed_)
    return;
  std::string joined;
  for (const auto& pong : std::exchange(pongs_, {}))
    joined += pong;
  const auto place = next_ + (offset_ > 0 ? 1 : 0);
  pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(place),
                 {{}, std::make_shared<const std::string>(std::move(joined)), true, false});
  pongs_placed_ = true;
}

write_progress websocket_output::write_to(int socket) {
  std::array<iovec, most_parts> parts;
  for (;;) {
    insert_pongs();
    if (empty())
      break;
    std::size_t count = 0;
    std::size_t bytes = 0;
    std::size_t skip = offset_;
    const auto add = [&](std::string_view text) {
      const auto skipped = std::min(skip, text.size());
      skip -= skipped;
      text.remove_prefix(skipped);
      if (!text.empty())
        parts[count++] = {const_cast<char*>(text.data()), text.size()};
      bytes += text.size();
    };
    for (auto i = next_; i < pieces_.size() && count + 2 <= most_parts && bytes < most_bytes; ++i) {
      add(pieces_[i].header.bytes());
      add(*pieces_[i].body);
    }
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = count;
    const auto written = ::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (written >= 0)
      advance(static_cast<std::size_t>(written));
    else if (errno == EAGAIN || errno == EWOULDBLOCK)
      return write_progress::blocked;
    else if (errno != EINTR)
      return write_progress::gone;
  }
  pieces_.clear();
  next_ = 0;
  if (pieces_.capacity() > pieces_kept)
    pieces_.shrink_to_fit();
  return write_progress::done;
}

void websocket_output::advance(std::size_t bytes) {
  bytes += std::exchange(offset_, 0);
  for (; !empty() && bytes >= pieces_[next_].size(); ++next_) {
    bytes -= pieces_[next_].size();
    pongs_placed_ = pongs_placed_ && !pieces_[next_].pongs;
    sent_ += pieces_[next_].text ? 1 : 0;
    pieces_[next_].body.reset();
  }
  offset_ = bytes;
}

} // namespace gasoline
