#pragma once

#include "tools/ci_watch/watched_run.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// A run that ended, with what its command line says of what failed in it.
struct run_report {
  watched_run run;
  std::vector<failed_job> jobs;
  std::vector<std::string> logs; ///< of each job, the lines that it printed; may be empty
};

/// The command line of a CI system, asked by one name.
class ci_program {
 public:
  virtual ~ci_program() = default;

  virtual std::string name() const = 0;
  virtual std::string source() const = 0; ///< as results name it

  /// The last runs of a branch, newest first. The error says why there is no list.
  virtual result_or<std::vector<watched_run>> runs(const std::string& branch) = 0;

  /// What failed in a run. Where the program does not say, less is told.
  virtual run_report look_into(const watched_run& run) = 0;
};

/// `gh`, for GitHub.
std::unique_ptr<ci_program> make_gh_program();

/// `glab`, for GitLab.
std::unique_ptr<ci_program> make_glab_program();

} // namespace gasoline
