#pragma once

#include "messages/base/time.hpp"
#include "tools/run/findings/output_finding.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// One body for a route of the engine.
struct engine_post {
  std::string target; ///< `/logs`: the body is one entry; `/ci-result`: the whole body
  std::string body;
};

/// How a command ended.
struct command_end {
  int exit_code = 0;
  int signal = 0; ///< 0: none
  std::chrono::milliseconds lasted{0};
  std::vector<std::string> last_lines;
  bool explained = false; ///< what was found before says why
};

/// The page address that stands for a command of that name: `run://NAME`. Its findings share it, so
/// that what compiles again ends what the same command said before, in this run or an earlier one.
std::string run_address(std::string_view name);

/// What the engine is told of a finding.
engine_post post_of(const output_finding& found, std::string_view name);

/// That the command has begun.
engine_post start_post(std::string_view command, std::string_view name);

/// That it has ended: an error when that was a crash, which nobody has asked for.
engine_post end_post(const command_end& end, std::string_view command, std::string_view name);

} // namespace gasoline
