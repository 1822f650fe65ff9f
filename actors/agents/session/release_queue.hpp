#pragma once

#include "messages/agents/session_actors.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace gasoline {

/// Holds what has happened until it may be shown: a step that is stored leaves once the store has
/// acknowledged it, and nothing overtakes.
class release_queue {
 public:
  /// Adds a step that is shown without being stored.
  void push(released_step step) { entries_.push_back({std::move(step), 0}); }

  /// Adds a step that waits for the store; answers the number that `acknowledge` must reach.
  std::uint64_t push_stored(released_step step) {
    entries_.push_back({std::move(step), ++last_});
    return last_;
  }

  /// Everything up to that number is stored.
  void acknowledge(std::uint64_t number) { stored_ = std::max(stored_, number); }

  /// Removes what may be shown now, in order.
  std::vector<released_step> take() {
    std::vector<released_step> out;
    while (!entries_.empty() && entries_.front().number <= stored_) {
      out.push_back(std::move(entries_.front().step));
      entries_.pop_front();
    }
    return out;
  }

  bool empty() const { return entries_.empty(); }

 private:
  struct entry {
    released_step step;
    std::uint64_t number = 0; // 0: not stored
  };

  std::deque<entry> entries_;
  std::uint64_t last_ = 0;
  std::uint64_t stored_ = 0;
};

} // namespace gasoline
