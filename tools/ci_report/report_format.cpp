#include "tools/ci_report/report_readers.hpp"

#include <re2/re2.h>

namespace gasoline {

std::string_view name_of(report_format format) {
  switch (format) {
  case report_format::junit:
    return "junit";
  case report_format::tap:
    return "tap";
  case report_format::go_test:
    return "go-test";
  case report_format::annotations:
    return "annotations";
  case report_format::libtest:
    return "cargo-test";
  case report_format::unknown:
    break;
  }
  return "unknown";
}

report_format format_of(std::string_view beginning) {
  static const RE2 go{R"((?m)^\{.*"Action": ?"|^FAIL\t\S+ \[(?:build|setup) failed\]$)"};
  static const RE2 libtest{R"((?m)^\{ ?"type": ?"(?:suite|test)\x22)"};
  static const RE2 tap{
      R"((?m)^(?:TAP version \d+|1\.\.\d+|(?:not )?ok(?:| [^ \t].*)|Bail out!.*)\s*$)"};
  static const RE2 annotations{R"((?m)::error(?: [^:\n]*(?::[^:\n]+)*)?::|##\[error\])"};
  if (beginning.substr(0, 3) == "\xEF\xBB\xBF")
    beginning.remove_prefix(3);
  const auto first = beginning.find_first_not_of(" \t\r\n");
  const re2::StringPiece text{beginning.data(), beginning.size()};
  if (first != std::string_view::npos && beginning[first] == '<')
    return report_format::junit;
  if (RE2::PartialMatch(text, go))
    return report_format::go_test;
  if (RE2::PartialMatch(text, libtest))
    return report_format::libtest;
  if (RE2::PartialMatch(text, tap))
    return report_format::tap;
  if (RE2::PartialMatch(text, annotations))
    return report_format::annotations;
  return report_format::unknown;
}

} // namespace gasoline
