#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gasoline {

/// One failed test of a run.
struct failed_test {
  std::string name;
  std::string message; ///< may be empty
};

/// What a command's output says.
enum class output_finding_kind : std::uint8_t {
  error,        ///< something was thrown and not handled, or logged with its trace
  build_failed, ///< code does not compile
  build_passed, ///< it does
  tests_failed, ///< a test run ended with failures
  tests_passed  ///< one ended without
};

/// One of them. Texts are as the command printed them: data of others.
struct output_finding {
  output_finding_kind kind = output_finding_kind::error;
  std::string tool;    ///< which language or tool: python, tsc, pytest
  std::string message; ///< the first line is what went wrong; further ones are its causes
  std::string stack;   ///< frames as `    at function (file:line:column)`, the one that threw first
  std::string file;    ///< as it was printed; empty: not told
  std::uint32_t line = 0; ///< from 1; 0: not told
  std::uint32_t column = 0;
  std::string code;                  ///< TS2322, E0308
  std::string code_frame;            ///< the source around it
  std::vector<failed_test> failures; ///< at most 100
  std::uint32_t failed = 0;
  std::uint32_t passed = 0;
};

} // namespace gasoline
