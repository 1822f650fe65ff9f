#include "tools/ci_report/report_readers.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

using namespace gasoline;

namespace {

using report_reader = result_or<bool> (*)(std::istream&, test_report&);

test_report report_of(report_reader read, const std::string& text) {
  test_report out;
  std::istringstream in{text};
  const auto done = read(in, out);
  const auto problem = done ? std::string{} : done.error().message;
  REQUIRE_MESSAGE(done, problem);
  return out;
}

std::string refusal_of(report_reader read, const std::string& text) {
  test_report out;
  std::istringstream in{text};
  const auto done = read(in, out);
  CHECK(out.empty());
  return done ? "accepted" : done.error().message;
}

std::string captured_report(const std::string& name) {
  std::ifstream in{GASOLINE_TEST_DATA "/run/reports/" + name, std::ios::binary};
  REQUIRE(in);
  return {std::istreambuf_iterator<char>{in}, {}};
}

std::string suite_of(const std::string& cases) {
  return "<?xml version=\"1.0\"?><testsuites><testsuite name=\"s\">" + cases +
         "</testsuite></testsuites>";
}

} // namespace

TEST_CASE("junit: pytest's report") {
  const auto report = report_of(read_junit, captured_report("pytest.xml"));
  CHECK(report.summary() == "1 failed, 1 passed");
  REQUIRE(report.failures().size() == 1);
  CHECK(report.failures()[0].name == "test_a > test_one");
  CHECK(report.failures()[0].message == "assert 1 == 2");
}

TEST_CASE("junit: pytest's report of a module that does not load") {
  const auto report = report_of(read_junit, captured_report("pytest_collection.xml"));
  REQUIRE(report.failures().size() == 1);
  CHECK(report.failures()[0].name == "pytest > bad_import_test");
  CHECK(report.failures()[0].message == "ModuleNotFoundError: No module named 'nothing_here'");
}

TEST_CASE("cargo test: both machine formats and what it prints") {
  const auto check = [](const test_report& report, const char* summary, const char* first,
                        const char* second) {
    CHECK(report.summary() == summary);
    const auto failures = report.failures();
    REQUIRE(failures.size() >= 2);
    CHECK_MESSAGE(failures[0].name.ends_with("tests::gone"), failures[0].name);
    CHECK(failures[0].message == first);
    CHECK_MESSAGE(failures[1].name.ends_with("tests::totals"), failures[1].name);
    CHECK_MESSAGE(failures[1].message.find(second) != std::string::npos, failures[1].message);
    CHECK(failures[1].message.find("backtrace") == std::string::npos);
  };
  constexpr const char* panic = "assertion `left == right` failed: the total\n  left: 3\n right: 4";
  const auto xml = report_of(read_junit, captured_report("cargo_test.xml"));
  // Its second document is of the tests in comments.
  REQUIRE(xml.failures().size() == 3);
  CHECK(xml.failures()[0].name == "tests > gone");
  CHECK(xml.failures()[0].message == "Error: \"no\"");
  CHECK_MESSAGE(xml.failures()[1].message.find("failed: the total") != std::string::npos,
                xml.failures()[1].message);
  CHECK(xml.summary() == "3 failed, 1 passed");
  check(report_of(read_libtest, captured_report("cargo_test.jsonl")),
        "3 failed, 1 passed, 1 skipped", "Error: \"no\"", panic);
  test_report printed;
  std::istringstream in{captured_report("cargo_test.txt")};
  const auto tool = read_console(in, printed);
  REQUIRE(tool);
  CHECK(*tool == "cargo");
  check(printed, "2 failed, 1 passed", "Error: \"no\"", "assertion `left == right` failed");
}

TEST_CASE("what tools print for people is a report too") {
  test_report report;
  std::istringstream in{"src/a.ts(1,7): error TS2322: Type 'string' is not assignable.\n"
                        "=== short test summary info ===\n"
                        "FAILED test_a.py::test_one - assert 1 == 2\n"
                        "=== 1 failed, 4 passed in 0.04s ===\n"};
  const auto tool = read_console(in, report);
  REQUIRE(tool);
  CHECK(*tool == "tsc");
  CHECK(report.summary() == "2 failed, 4 passed");
  CHECK(report.failures().at(0).name == "src/a.ts:1");
  CHECK(report.failures().at(1).message == "assert 1 == 2");
  test_report none;
  std::istringstream prose{"hello\nError handling is enabled\n"};
  CHECK(read_console(prose, none).error().message.starts_with("is no report that is known here"));
}

TEST_CASE("junit: dialects") {
  struct dialect {
    const char* cases;
    const char* summary;
    const char* name;
    const char* message;
  };
  const dialect all[] = {
      {R"(<testcase name="a" classname="undefined"><failure>Error: no
at f</failure></testcase>)",
       "1 failed", "a", "Error: no\nat f"},
      {R"(<testcase name="grp &gt; throws" classname="f.test.ts"><failure message="x is 1" type="E"/></testcase>)",
       "1 failed", "f.test.ts > grp > throws", "x is 1"},
      {R"(<testcase name="unit" status="fail"><failure message=""/><system-out>assert at 7</system-out></testcase>)",
       "1 failed", "s > unit", "assert at 7"},
      {R"(<testcase name="a"><error message="fixture"/></testcase><testcase name="b"><skipped/></testcase>)",
       "1 failed, 1 skipped", "s > a", "fixture"},
      {"<testcase name=\"a\"><failure message=\"red \x1B[31m\">\x01</failure></testcase>",
       "1 failed", "s > a", "red"},
      {"<testcase name=\"a\"><failure message=\"#x1B[1m#x1B[31mred#x1B[0m\"/></testcase>",
       "1 failed", "s > a", "red"},
      {"<testcase name=\"a\"><failure message=\"caf\xE9\"/></testcase>", "1 failed", "s > a",
       "caf\xC3\xA9"},
      {R"(<error message="suite broke"/>)", "1 failed", "s", "suite broke"},
  };
  for (const auto& expected : all) {
    CAPTURE(expected.cases);
    const auto report = report_of(read_junit, suite_of(expected.cases));
    CHECK(report.summary() == expected.summary);
    REQUIRE(report.failures().size() == 1);
    CHECK(report.failures()[0].name == expected.name);
    CHECK(report.failures()[0].message == expected.message);
  }
}

TEST_CASE("junit: a test that passed again after failing is no failure, and is named") {
  const char* runs[] = {
      R"(<testcase name="a"><flakyFailure message="once"/></testcase>)",
      R"(<testcase name="a"><failure message="once"/></testcase><testcase name="a"/>)",
  };
  for (const auto* run : runs) {
    const auto report = report_of(read_junit, suite_of(run));
    CHECK(report.failed() == 0);
    CHECK(report.summary() == "1 passed; 1 passed again after failing: s > a");
  }
  const auto failed = report_of(
      read_junit,
      suite_of(
          R"(<testcase name="a"><failure message="m"/><rerunFailure message="n"/></testcase>)"));
  CHECK(failed.summary() == "1 failed");
}

TEST_CASE("junit: what may not be in a report is refused with its reason") {
  CHECK(refusal_of(read_junit, "<!DOCTYPE x [<!ENTITY a \"b\">]><testsuite/>")
            .starts_with("has a document type"));
  CHECK(refusal_of(read_junit, suite_of("<testcase name=\"&a;\"/>"))
            .starts_with("is no well-formed XML: undefined entity"));
  CHECK(refusal_of(read_junit, "<testsuite><testcase name=\"a\">")
            .starts_with("is no well-formed XML"));
  CHECK(refusal_of(read_junit, "<html/>") == "is XML, but has no <testsuite>");
  std::string deep = "<testsuite>";
  for (int i = 0; i < 200; ++i)
    deep += "<a>";
  CHECK(refusal_of(read_junit, deep) == "nests deeper than 100 elements");
  CHECK(refusal_of(read_junit, "<testsuite name=\"" + std::string(10 << 20, 'x')) ==
        "has a tag of more than 8 MB");
}

TEST_CASE("tap: results, subtests, directives, plan and bail out") {
  const auto report = report_of(read_tap, "TAP version 14\n"
                                          "# Subtest: cart\n"
                                          "    not ok 1 - adds\n"
                                          "      ---\n"
                                          "      error: 'Expected 3'\n"
                                          "      ...\n"
                                          "    1..1\n"
                                          "not ok 1 - cart\n"
                                          "ok 2 - fine # time=3ms\n"
                                          "not ok 3 - later # TODO not yet\n"
                                          "ok 4 # SKIP no db\n"
                                          "1..4\n");
  CHECK(report.summary() == "1 failed, 1 passed, 2 skipped");
  REQUIRE(report.failures().size() == 1);
  CHECK(report.failures()[0].name == "cart > adds");
  CHECK(report.failures()[0].message == "Expected 3");
  const auto short_run = report_of(read_tap, "1..3\nok 1 - a\n");
  CHECK(short_run.failures().at(0).message == "3 tests were planned, 1 have ended");
  CHECK(report_of(read_tap, "1..3\nBail out! no db\n").failures().at(0).message == "no db");
  CHECK(refusal_of(read_tap, "nothing\n") == "holds no result of a test in TAP");
}

TEST_CASE("tap: of vitest, whose results have their parts behind them, and of Node.js") {
  const auto vitest = report_of(read_tap, captured_report("vitest.tap"));
  CHECK(vitest.summary() == "3 failed, 1 passed");
  REQUIRE(vitest.failures().size() == 3);
  CHECK(vitest.failures()[0].name == "a.test.ts > cart > totals");
  CHECK(vitest.failures()[0].message == "expected 3 to be 4 // Object.is equality");
  CHECK(vitest.failures()[1].message == "no stock");
  const auto alone = report_of(read_tap, "1..1\nnot ok 1 - a { \n    ok 1 - b\n}\n"
                                         "not ok 1 - c {\n    ok 1 - d\n}\n");
  CHECK(alone.failures().at(0).name == "c");
  const auto node = report_of(read_tap, captured_report("node.tap"));
  CHECK(node.summary() == "2 failed, 1 passed");
  CHECK(node.failures().at(0).message == "Expected values to be strictly equal:");
  CHECK(node.failures().at(1).name == "deep > inner");
  CHECK(node.failures().at(1).message == "bad cart");
}

TEST_CASE("go test -json: what does not compile with an older Go") {
  const auto report = report_of(read_go_test, captured_report("go_build.jsonl"));
  REQUIRE(report.failures().size() == 1);
  CHECK(report.failures()[0].name == "shop");
  CHECK(report.failures()[0].message == "./main.go:46:12: undefined: undefinedThing");
}

TEST_CASE("go test -json: failures with their output, reruns, builds") {
  const auto report = report_of(read_go_test, captured_report("go_test.jsonl"));
  CHECK(report.summary() == "1 failed, 1 passed");
  CHECK(report.failures().at(0).name == "ex.org/gop TestPick");
  CHECK(report.failures().at(0).message == "main_test.go:7: pick gave 1, want 2");
  const auto again = report_of(read_go_test, R"({"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestA"}
)");
  CHECK(again.summary() == "1 passed; 1 passed again after failing: p TestA");
  const auto build = report_of(
      read_go_test,
      R"({"ImportPath":"p [p.test]","Action":"build-output","Output":"./a.go:3:1: undefined: x\n"}
{"ImportPath":"p [p.test]","Action":"build-fail"}
text of an older go
{"Action":"fail","Package":"p","FailedBuild":"p [p.test]"}
)");
  CHECK(build.failures().at(0).message == "./a.go:3:1: undefined: x");
  CHECK(refusal_of(read_go_test, "{}\n[1]\n") == "holds no events of `go test -json`");
}

TEST_CASE("annotations: workflow commands and what a log shows of them") {
  const auto report =
      report_of(read_annotations,
                "2026-01-01T00:00:00Z ::error file=src/a.ts,line=3,title=Lint::no%3A bad%0Amore\n"
                "##[error]Process completed with exit code 1.\n"
                "::warning::fine\n"
                "call ::errors:: not\n"
                "::error::plain\n");
  REQUIRE(report.failures().size() == 3);
  CHECK(report.failures()[0].name == "src/a.ts:3 Lint");
  CHECK(report.failures()[0].message == "no: bad\nmore");
  CHECK(report.failures()[2].name == "plain");
  CHECK(report.failures()[2].message.empty());
}

TEST_CASE("report formats are told by how they begin") {
  CHECK(format_of("\xEF\xBB\xBF<?xml?>") == report_format::junit);
  CHECK(format_of("# x\n{\"Time\":\"t\",\"Action\":\"run\"}\n") == report_format::go_test);
  CHECK(format_of("TAP version 13\n") == report_format::tap);
  CHECK(format_of("> app@1 test\n\nok 1 - a\n1..1\n") == report_format::tap);
  CHECK(format_of("log\n::error file=a.c,line=1::no\n") == report_format::annotations);
  CHECK(format_of("# shop\n./a.go:3:1: undefined: x\nFAIL\tshop [build failed]\n") ==
        report_format::go_test);
  CHECK(format_of("{ \"type\": \"suite\", \"event\": \"started\" }\n") == report_format::libtest);
  CHECK(format_of("ok  \tshop\t0.31s\n--- FAIL: TestA (0.00s)\n") == report_format::unknown);
  CHECK(format_of("hello") == report_format::unknown);
}
