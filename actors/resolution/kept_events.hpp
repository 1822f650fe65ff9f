#pragma once

#include "messages/telemetry/event_refs.hpp"

#include <cstddef>
#include <vector>

namespace gasoline {

/// The newest events of one kind, in the order of their times. At most so many: beyond that the
/// oldest quarter goes.
class kept_events {
 public:
  explicit kept_events(std::size_t most) : most_(most) {}

  void add(event_ptr e);

  /// The oldest first.
  const event_refs& in_order() const { return in_order_; }

 private:
  std::size_t most_;
  std::vector<event_ptr> kept_; ///< what `in_order_` points to, in the same order
  event_refs in_order_;
};

} // namespace gasoline
