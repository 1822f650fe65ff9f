#pragma once

#include "tools/ci_watch/watched_run.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gasoline {

/// Which runs have ended since one looked last. What had ended before the first look at a branch is
/// where it begins, and no news. Pure.
class run_watch {
 public:
  /// Takes what is listed now of that branch; gives the runs that ended since.
  std::vector<watched_run> take(const std::string& branch, const std::vector<watched_run>& listed);

  /// Whether something of what was listed last goes on.
  bool is_running() const noexcept { return running_; }

 private:
  std::string branch_;
  bool looked_ = false;
  bool running_ = false;
  std::map<std::string, bool> ended_; ///< by id, of what was listed last
};

/// How long to wait between two looks: short while something runs, longer and longer while nothing
/// happens, and after errors. Pure.
class poll_pace {
 public:
  explicit poll_pace(std::chrono::seconds shortest) : shortest_(shortest), next_(shortest) {}

  /// After a look that found something running or ended.
  std::chrono::seconds after_news();

  /// After one that found nothing new.
  std::chrono::seconds after_nothing();

  /// After one that failed.
  std::chrono::seconds after_failure();

 private:
  std::chrono::seconds longer(std::chrono::seconds most);

  std::chrono::seconds shortest_;
  std::chrono::seconds next_;
};

/// The last lines of a job's log that say something, without time stamps, colours and the markup of
/// the CI system.
std::string log_tail(std::string_view log, std::size_t lines);

/// The lines of one job out of what `gh run view --log-failed` printed (`JOB TAB STEP TAB LINE`);
/// all of it when no line is of that job.
std::string log_of_job(std::string_view log, std::string_view job);

} // namespace gasoline
