#pragma once

#include "tools/ci_watch/ci_program.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace gasoline {

/// The body of `POST /ci-result` for a run that ended: failed jobs with the last lines of their
/// logs, and the failed tests that these name.
nlohmann::json result_of_run(const run_report& report, const std::string& source);

} // namespace gasoline
