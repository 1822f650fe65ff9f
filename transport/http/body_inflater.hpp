#pragma once

#include "messages/base/encoding/inflated_body.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace gasoline {

/// Does `work` on another thread, then calls `then` on the io thread.
using run_apart = std::function<void(std::function<void()> work, std::function<void()> then)>;

/// Inflates bodies, those that may take long where they hold up nobody: in the order in which they
/// come, one at a time, so that no more than one is unpacked and not yet counted. Used on the io
/// thread.
class body_inflater : public std::enable_shared_from_this<body_inflater> {
 public:
  using taker = std::function<void(inflated_body)>;

  /// From now on other threads do what may take long; until then all is done here.
  void use(run_apart run) { run_ = std::move(run); }

  /// Calls `then`, before this returns or later on the io thread.
  void inflate(content_coding coding, std::string body, std::uint64_t cap, taker then);

  /// Forgets what waits.
  void stop();

 private:
  struct packed_body {
    content_coding coding = content_coding::identity;
    std::string bytes;
    std::uint64_t cap = 0;
  };

  /// Takers are of the io thread: no other thread is given one, not even to let go of it.
  struct task {
    std::shared_ptr<const packed_body> packed;
    taker then;
  };

  void begin_next();
  void take(inflated_body body);

  run_apart run_;
  std::deque<task> waiting_;
  taker current_; ///< of the body that is being inflated
  bool is_busy_ = false;
};

} // namespace gasoline
