#pragma once

#include "messages/agents/session_event.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <utility>
#include <vector>

namespace gasoline {

/// The frames that one client has not taken yet. Live events and replies are counted against a
/// bound; replayed events are not, since their sender waits for the socket.
/// Events of one release come together and are one step of the count: a client is slow when it has
/// not taken earlier ones, not when many happen at once. Live events that arrive before the seam is
/// passed are held back.
class watcher_queue {
 public:
  watcher_queue(std::uint64_t bound, std::uint64_t batch) : bound_(bound), batch_(batch) {}

  /// Adds a replayed event.
  void push_replayed(frame_text frame) { frames_.push_back({std::move(frame), false, true}); }

  /// The bound is reached: the client is too slow, or asks without reading.
  bool full() const { return counted_ >= bound_; }

  /// Adds a reply.
  void push_reply(frame_text frame) {
    ++counted_;
    frames_.push_back({std::move(frame), true, false});
  }

  /// Adds a live event.
  void push_live(frame_text frame) {
    ++counted_;
    (live_ ? frames_ : held_).push_back({std::move(frame), true, true});
  }

  /// The seam is passed: what was held back follows now.
  void go_live() {
    live_ = true;
    frames_.insert(frames_.end(), std::make_move_iterator(held_.begin()),
                   std::make_move_iterator(held_.end()));
    held_.clear();
  }

  /// Forgets what was held back: the subscription has failed.
  void drop_held() {
    counted_ -= held_.size();
    held_.clear();
  }

  /// The next frames for the socket; none while it still writes the last ones.
  std::vector<frame_text> take() {
    std::vector<frame_text> out;
    if (!in_flight_.empty())
      return out;
    while (!frames_.empty() && out.size() < batch_) {
      in_flight_.push_back({nullptr, frames_.front().counted, frames_.front().event});
      out.push_back(std::move(frames_.front().frame));
      frames_.pop_front();
    }
    return out;
  }

  /// The socket has taken that many frames.
  void sent(std::uint64_t frames) {
    for (; frames > 0 && !in_flight_.empty(); --frames) {
      counted_ -= in_flight_.front().counted ? 1 : 0;
      written_ += in_flight_.front().event ? 1 : 0;
      in_flight_.pop_front();
    }
  }

  /// Events that the socket has taken so far.
  std::uint64_t written() const { return written_; }

  /// Frames that the socket has not been given, but for events that are held back.
  std::uint64_t waiting() const { return frames_.size(); }

  /// How the frames of the last `take` are to be sent.
  frame_pace pace() const { return live_ ? frame_pace::live : frame_pace::replay; }

 private:
  struct entry {
    frame_text frame;
    bool counted = false;
    bool event = false; ///< no reply
  };

  std::uint64_t bound_;
  std::uint64_t batch_;
  std::deque<entry> frames_;
  std::deque<entry> held_;
  bool live_ = false;
  std::uint64_t counted_ = 0;   // in `frames_`, `held_` and in flight
  std::deque<entry> in_flight_; // without their frames
  std::uint64_t written_ = 0;
};

} // namespace gasoline
