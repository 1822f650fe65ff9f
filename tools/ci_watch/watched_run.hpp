#pragma once

#include "config/values/user_error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// One run of a CI system, as its command line lists it. Texts are data of others.
struct watched_run {
  std::string id;
  std::string workflow; ///< may be empty
  std::string title;    ///< what the run is about
  std::string ref;
  std::string commit;
  std::string url;
  std::string result; ///< the system's word; empty: it has not ended
  std::string begun;  ///< ISO 8601
  std::string ended;  ///< ISO 8601, or of the last change
};

/// A job of a run that failed.
struct failed_job {
  std::string id; ///< empty: the run's own log has it
  std::string name;
  std::string step; ///< the first that failed; may be empty
};

/// The runs that `gh run list --json …` printed, newest first.
result_or<std::vector<watched_run>> read_gh_runs(std::string_view json);

/// The jobs that failed, of what `gh run view ID --json jobs` printed.
result_or<std::vector<failed_job>> read_gh_jobs(std::string_view json);

/// The runs that `glab ci list -F json` printed, newest first.
result_or<std::vector<watched_run>> read_glab_runs(std::string_view json);

/// The jobs that failed and must not, of what `glab ci get -F json -d` printed.
result_or<std::vector<failed_job>> read_glab_jobs(std::string_view json);

} // namespace gasoline
