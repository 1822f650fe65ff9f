#pragma once

#include "messages/telemetry/event_refs.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace gasoline {

/// Events in their order, as analyses are given them, with who keeps them.
class sample_events {
 public:
  void keep(event e) {
    kept_.push_back(std::make_shared<const event>(std::move(e)));
    told_.push_back(kept_.back().get());
  }

  event_span events() const { return told_; }

 private:
  std::vector<event_ptr> kept_;
  event_refs told_;
};

} // namespace gasoline
