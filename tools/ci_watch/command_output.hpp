#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace gasoline {

/// What a command printed, and how it ended.
struct command_output {
  int exit_code = -1;      ///< negative: it did not end by itself
  bool is_missing = false; ///< there is no such command
  bool is_late = false;    ///< it took too long, and was ended
  std::string out;         ///< the last bytes of its standard output
  std::string errors;      ///< the last of its standard error
};

/// Runs a command that asks nobody, without a terminal; keeps the last `most_bytes` of each output.
command_output output_of(const std::vector<std::string>& command, std::chrono::seconds patience,
                         std::size_t most_bytes);

} // namespace gasoline
