#include "tools/run/findings/test_rules.hpp"

namespace gasoline {

const std::vector<test_rule>& test_rules() {
  static const std::vector<test_rule> rules{
      {"pytest", R"(^=+ (?:test session starts|FAILURES|ERRORS|short test summary info) =+$)",
       R"(^(?:FAILED|ERROR) (?P<name>\S+\.py(?:::.*?)?)(?: - (?P<message>.*))?$)",
       R"(^_+ ERROR collecting (?P<name>\S+) _+$)", R"(^E   +(?P<message>\S.*)$)",
       R"(^(?:=+ )?(?:\d+ \w+, )*\d+ (?:failed|passed|errors?|skipped|xfailed|deselected|warnings?)\b.* in [\d.]+s\b)",
       false, false},
      {"vitest", R"(^ *(?:RUN|DEV|RERUN)  v?\S+|^(?:⎯)+ Failed (?:Tests|Suites) \d+ (?:⎯)+$)",
       R"(^ *FAIL  (?P<name>\S.*?)(?: \[ .* \])?$)", "", "", R"(^ *Tests  +(?:\d|no tests))", true,
       false},
      {"jest", R"(^\s*(?:FAIL|PASS) (?:.* )?\S+\.(?:[cm]?[jt]sx?|vue)(?: \([\d.]+ m?s\))?$)",
       R"(^  ● (?P<name>.+)$)", "", "", R"(^Tests: +(?:\d+ \w+, )*\d+ total$)", true, false},
      {"go", R"(^=== RUN +|^--- (?:FAIL|PASS): |^(?:FAIL|ok  )\t\S+)",
       R"(^\s*--- FAIL: (?P<name>\S+) \()", R"(^=== (?:RUN|CONT|NAME) +(?P<name>\S+)$)",
       R"(^\s+(?P<message>\S+_test\.go:\d+: .*)$)", R"(^FAIL\t\S+)", false, true},
      {"cargo", R"(^running \d+ tests?$)", R"(^test (?P<name>.+?) \.\.\. FAILED$)",
       R"(^---- (?P<name>.+) stdout ----$)", R"(^(?P<message>Error: .*)$)", R"(^test result: )",
       false, true},
      {"rspec", R"(^Failures:$)", R"(^  \d+\) (?P<name>.+)$)", "",
       R"(^     Failure/Error:(?P<message>.*)$)", R"(^\d+ examples?, \d+ failures?\b)", false,
       false, true},
      {"phpunit", R"(^PHPUnit \d+\.\d+)", R"(^\d+\) (?P<name>[\w\\]+::.+)$)", "", "",
       R"(^Tests: \d+, Assertions: \d+|^OK \(\d+ tests?)", true, false},
      // A failure that is marked TODO is none.
      {"tap", R"(^TAP version 1\d$)", R"(^\s*not ok \d+ - (?P<name>[^#]*[^#\s])$)", "",
       R"(^\s+error: (?:['"](?P<message>.+)['"]|\|-)$)", R"(^# fail +\d+$)", false, false},
      {"node", R"(^\s*(?:✔|✖) .* \(\d+\.\d\d+ms\)$)", R"(^\s*✖ (?P<name>.*) \(\d+\.\d\d+ms\)$)", "",
       "", "", true, false, false, R"(^ℹ tests \d+$)"},
  };
  return rules;
}

} // namespace gasoline
