#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gasoline {

/// Detached actors to which their owner gives pure work over what it owns, so that the thread of
/// the sockets is free meanwhile. Spawned when there is work for them, at most so many.
template <class Handle>
class worker_pool {
 public:
  /// `most` workers; 0: all work is done by the owner.
  explicit worker_pool(std::size_t most = 0) : most_(most) {}

  std::size_t most() const noexcept { return most_; }

  /// The number of the worker with the least to do, which has one task more now; `spawn` makes
  /// another as long as all are busy and there may be more. There may be at least one.
  template <class Spawn>
  std::size_t take(Spawn spawn) {
    auto chosen = std::min_element(workers_.begin(), workers_.end(),
                                   [](const auto& a, const auto& b) { return a.tasks < b.tasks; });
    const bool busy = chosen == workers_.end() || chosen->tasks > 0;
    if (busy && workers_.size() < most_)
      chosen = workers_.insert(workers_.end(), {spawn(), 0});
    ++chosen->tasks;
    return static_cast<std::size_t>(chosen - workers_.begin());
  }

  const Handle& at(std::size_t number) const { return workers_[number].handle; }

  /// A task of that worker is done.
  void give_back(std::size_t number) { --workers_[number].tasks; }

 private:
  struct worker {
    Handle handle;
    std::size_t tasks = 0;
  };

  std::size_t most_;
  std::vector<worker> workers_;
};

} // namespace gasoline
