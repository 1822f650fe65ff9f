#pragma once

#include "config/settings.hpp"

#include <string>
#include <vector>

namespace gasoline {

/// What `gasoline ci report` was told. Empty text: what the CI system's variables or the working
/// tree say.
struct ci_report_options {
  std::vector<std::string> files; ///< `-`: standard input
  std::string source;
  std::string job;
  std::string ref;
  std::string commit;
};

/// `gasoline ci report FILE…`: reads the reports of one test run and tells the engine how it ended.
/// Answers the exit code of the program: 0 told, whatever the tests did; 1 not.
int run_ci_report(const settings& config, const ci_report_options& options);

} // namespace gasoline
