#include "tools/run/findings/test_rules.hpp"

namespace gasoline {

const std::vector<test_rule>& test_rules() {
  static const std::vector<test_rule> rules{
      {"pytest", R"(^=+ (?:test session starts|FAILURES|ERRORS|short test summary info) =+$)",
       R"(^(?:FAILED|ERROR) (?P<name>\S+\.py(?:::.*?)?)(?: - (?P<message>.*))?$)", "", "",
       R"(^(?:=+ )?(?:\d+ \w+, )*\d+ (?:failed|passed|errors?|skipped|xfailed|deselected|warnings?)\b.* in [\d.]+s\b)",
       false, false},
      {"vitest", R"(^ *(?:RUN|DEV|RERUN)  v?\S+)", R"(^ *FAIL  (?P<name>\S.*?)(?: \[ .* \])?$)", "",
       "", R"(^ *Tests  +(?:\d|no tests))", true, false},
      {"jest", R"(^\s*(?:FAIL|PASS) (?:.* )?\S+\.(?:[cm]?[jt]sx?|vue)(?: \([\d.]+ m?s\))?$)",
       R"(^  ● (?P<name>.+)$)", "", "", R"(^Tests: +\d)", true, false},
      {"go", R"(^=== RUN +|^--- (?:FAIL|PASS): |^(?:FAIL|ok  )\t\S+)",
       R"(^\s*--- FAIL: (?P<name>\S+) \()", "", R"(^\s+(?P<message>\S+_test\.go:\d+: .*)$)",
       R"(^FAIL\t\S+)", false, true},
      {"cargo", R"(^running \d+ tests?$)", R"(^test (?P<name>.+?) \.\.\. FAILED$)",
       R"(^---- (?P<name>.+) stdout ----$)", "", R"(^test result: )", false, true},
      {"rspec", R"(^Failures:$)", R"(^  \d+\) (?P<name>.+)$)", "",
       R"(^     Failure/Error: (?P<message>.*)$)", R"(^\d+ examples?, \d+ failures?\b)", false,
       false},
  };
  return rules;
}

} // namespace gasoline
