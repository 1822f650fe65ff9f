#pragma once

#include "actors/base/side_worker.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace gasoline {

/// Workers to which the actor that owns the pool gives pure work over what it owns, so that the
/// thread of the sockets is free meanwhile. Spawned when there is work for them, at most so many.
class worker_pool {
 public:
  /// `most` workers; 0: all work is done by the owner.
  explicit worker_pool(std::size_t most = 0) : most_(most) {}

  std::size_t most() const noexcept { return most_; }

  /// Has the worker with the least to do do `work`, then calls `then` on the owner, `self`. There
  /// may be at least one worker. The pool stays where it is as long as its owner lives.
  template <class Self>
  void run(Self self, side_work work, side_work then) {
    const auto number = take(self);
    self->request(workers_[number].handle, caf::infinite, write_atom_v,
                  std::make_shared<const side_work>(std::move(work)))
        .then([this, number, then = std::move(then)](bool) {
          --workers_[number].tasks;
          then();
        });
  }

 private:
  struct worker {
    side_worker_actor handle;
    std::size_t tasks = 0;
  };

  /// As long as all are busy and there may be more, there is one more.
  template <class Self>
  std::size_t take(Self self) {
    auto chosen = std::min_element(workers_.begin(), workers_.end(),
                                   [](const auto& a, const auto& b) { return a.tasks < b.tasks; });
    const bool busy = chosen == workers_.end() || chosen->tasks > 0;
    if (busy && workers_.size() < most_)
      chosen = workers_.insert(workers_.end(), {self->template spawn<caf::linked + caf::detached>(
                                                    side_worker, side_worker_life::with_owner),
                                                0});
    ++chosen->tasks;
    return static_cast<std::size_t>(chosen - workers_.begin());
  }

  std::size_t most_;
  std::vector<worker> workers_;
};

} // namespace gasoline
