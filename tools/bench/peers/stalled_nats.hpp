#pragma once

#include "tools/bench/peers/child_process.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace gasoline::bench {

/// A nats-server of its own that can be made to stand still: what is sent to it is not
/// acknowledged.
class stalled_nats {
 public:
  stalled_nats();
  stalled_nats(const stalled_nats&) = delete;
  stalled_nats& operator=(const stalled_nats&) = delete;
  ~stalled_nats();

  /// Whether there is one, and it takes connections.
  bool runs() const { return runs_; }
  std::string url() const;
  void stall();

 private:
  std::filesystem::path directory_;
  std::optional<child_process> server_;
  bool runs_ = false;
};

} // namespace gasoline::bench
