#pragma once

#include "messages/base/time.hpp"
#include "tools/run/findings/output_finding.hpp"
#include "tools/run/findings/test_runs.hpp"
#include "tools/run/findings/trace_blocks.hpp"
#include "tools/run/plain_lines.hpp"

#include <boost/circular_buffer.hpp>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// A trace that has begun.
struct open_trace {
  std::size_t rule = 0;
  trace_lines lines;
  std::size_t bytes = 0;
  bool confirmed = false;
  bool over = false; ///< its last line was there; only what resumes it goes on
};

/// A compile error that has begun.
struct open_error {
  std::size_t rule = 0;
  output_finding error;
  std::size_t lines = 0;
  bool has_place = false;
  bool frame_ended = false; ///< the line before was the end of a drawn frame; what follows belongs
};

/// Finds what a command's output says went wrong: traces, compile errors, test failures, and that
/// code compiles again. Pure: bytes and times in, findings out. Bounded: a trace has at most 300
/// lines and 64 KB, of one build at most 20 errors are told.
class output_reader {
 public:
  output_reader();

  void take(std::string_view bytes, mono_time now);

  /// Bytes are missing here.
  void skip(mono_time now);

  /// Nothing has come for a while: a trace that has been quiet for 500 ms is complete.
  void pass_time(mono_time now);

  /// The command ended, with that exit code; negative: by a signal.
  void finish(int exit_code, mono_time now);

  /// What was found since the last call.
  std::vector<output_finding> take_findings();

  /// Whether the build that was told of last has errors.
  bool has_build_errors() const noexcept { return build_errors_ > 0; }

  /// The last lines that said anything, oldest first, at most 15.
  std::vector<std::string> last_lines() const;

 private:
  static constexpr std::size_t most_recent = 15;

  void gather(std::string_view line);
  void look_at_gathered();
  void take_line(std::string_view line);
  void repaint();
  void finish_blocks();
  void remember(std::string_view line);
  void remember_last(std::string_view lines);
  bool continue_trace(std::string_view line, const std::vector<int>& matches);
  bool continue_error(std::string_view line, const std::vector<int>& matches);
  bool start(std::string_view line, const std::vector<int>& matches);
  void start_trace(std::size_t rule, std::string_view line);
  void start_error(std::size_t rule, std::string_view line);
  void keep(std::string_view line);
  void finish_trace();
  void finish_error();
  void tell_error(output_finding error);
  void tell_build(std::size_t rule);
  void tell(output_finding found);

  plain_lines lines_;
  std::string gathered_; ///< lines that are yet to be looked at, each with its end; within a call
  bool gathered_long_ = false; ///< one of them is longer than what is searched of a line
  test_runs tests_;
  std::optional<open_trace> trace_;
  std::optional<open_error> error_;
  boost::circular_buffer<std::string> recent_{most_recent};
  std::vector<output_finding> findings_;
  std::set<std::string> told_; ///< of the build that goes on
  std::size_t build_errors_ = 0;
  bool broken_ = false; ///< the last build, as far as it was told
  mono_time now_{};
  mono_time last_at_{};
};

} // namespace gasoline
