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
  void push_replayed(frame_text frame) { frames_.push_back({std::move(frame), false}); }

  /// The bound is reached: the client is too slow, or asks without reading.
  bool full() const { return counted_ >= bound_; }

  /// Adds a reply.
  void push_reply(frame_text frame) {
    ++counted_;
    frames_.push_back({std::move(frame), true});
  }

  /// Adds a live event.
  void push_live(frame_text frame) {
    ++counted_;
    (live_ ? frames_ : held_).push_back({std::move(frame), true});
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
    if (in_flight_ > 0)
      return out;
    while (!frames_.empty() && out.size() < batch_) {
      counted_in_flight_ += frames_.front().counted ? 1 : 0;
      out.push_back(std::move(frames_.front().frame));
      frames_.pop_front();
    }
    in_flight_ = out.size();
    return out;
  }

  /// The socket has taken that many frames.
  void sent(std::uint64_t frames) {
    in_flight_ -= std::min(frames, in_flight_);
    if (in_flight_ > 0)
      return;
    counted_ -= counted_in_flight_;
    counted_in_flight_ = 0;
  }

  /// Frames that the socket has not been given, but for events that are held back.
  std::uint64_t waiting() const { return frames_.size(); }

  /// How the frames of the last `take` are to be sent.
  frame_pace pace() const { return live_ ? frame_pace::live : frame_pace::replay; }

 private:
  struct entry {
    frame_text frame;
    bool counted = false;
  };

  std::uint64_t bound_;
  std::uint64_t batch_;
  std::deque<entry> frames_;
  std::deque<entry> held_;
  bool live_ = false;
  std::uint64_t counted_ = 0; // in `frames_`, `held_` and in flight
  std::uint64_t in_flight_ = 0;
  std::uint64_t counted_in_flight_ = 0;
};

} // namespace gasoline
