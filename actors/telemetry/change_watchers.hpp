#pragma once

#include "messages/actors.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gasoline {

/// Who waits for the next change of one part of the engine. Each is told once.
class change_watchers {
 public:
  explicit change_watchers(watched_part part) : part_(part) {}

  void watch(const change_sink& watcher) {
    if (waiting_.size() >= prune_at_)
      prune();
    waiting_.push_back(watcher.address());
  }

  /// A change happened.
  void changed() {
    for (const auto& address : waiting_)
      if (const auto watcher = caf::actor_cast<change_sink>(address))
        caf::anon_send(watcher, changed_atom_v, part_);
    waiting_.clear();
  }

 private:
  static constexpr std::size_t few = 64;

  /// Drops those that have ended, so that clients who come and go leave nothing behind.
  void prune() {
    std::erase_if(waiting_,
                  [](const caf::actor_addr& a) { return !caf::actor_cast<change_sink>(a); });
    prune_at_ = std::max(few, 2 * waiting_.size());
  }

  watched_part part_;
  std::size_t prune_at_ = few;
  std::vector<caf::actor_addr> waiting_;
};

} // namespace gasoline
