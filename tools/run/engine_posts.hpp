#pragma once

#include "config/settings.hpp"
#include "messages/base/time.hpp"
#include "tools/run/findings/finding_posts.hpp"

#include <cstdint>
#include <deque>
#include <string>

namespace gasoline {

/// Brings findings to the running engine, in order, as many log entries to a request as fit. What
/// an engine does not take now waits, at most 1,000 posts and 4 MB, and is tried again after 2 s;
/// the oldest are left out first, and counted.
class engine_posts {
 public:
  explicit engine_posts(const settings& config) : config_(config) {}

  void add(engine_post post);

  /// Sends what waits, unless the engine has just not been there.
  void send(mono_time now);

  /// Tries once more, whatever was before.
  void send_all();

  /// Why the last attempt failed; empty: it did not.
  const std::string& problem() const noexcept { return problem_; }
  std::uint64_t dropped() const noexcept { return dropped_; } ///< posts left out or refused
  std::size_t waiting() const noexcept { return posts_.size(); }

  /// Whether an engine answers. Keeps the sentence that says why not.
  bool reach();

 private:
  bool send_some();

  const settings& config_;
  std::deque<engine_post> posts_;
  std::size_t bytes_ = 0;
  std::uint64_t dropped_ = 0;
  std::string problem_;
  mono_time not_before_{};
};

} // namespace gasoline
