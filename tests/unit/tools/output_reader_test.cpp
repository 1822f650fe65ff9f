#include "tools/run/output_reader.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>

using namespace gasoline;
using namespace std::chrono_literals;

namespace {

std::string captured_output(const std::string& name) {
  std::ifstream in{GASOLINE_TEST_DATA "/run/output/" + name, std::ios::binary};
  REQUIRE(in);
  return {std::istreambuf_iterator<char>{in}, {}};
}

/// What is found in output that arrives in pieces of that size and ends with that exit code.
std::vector<output_finding> found_in_output(std::string_view output, int exit_code = 1,
                                            std::size_t piece = 1000) {
  output_reader reader;
  mono_time now{};
  for (; !output.empty(); output.remove_prefix(std::min(piece, output.size())))
    reader.take(output.substr(0, piece), now += 1ms);
  reader.finish(exit_code, now);
  return reader.take_findings();
}

struct captured_fault {
  const char* file;
  output_finding_kind kind;
  const char* tool;
  const char* message; ///< its beginning
  const char* place;   ///< the file, as it ends
  std::uint32_t line;
};

} // namespace

TEST_CASE("output_reader: the first fault of what real tools print") {
  using enum output_finding_kind;
  const captured_fault faults[] = {
      {"python.txt", error, "python", "ValueError: cannot load\ncaused by KeyError: 'missing'",
       "bad.py", 8},
      {"node.txt", error, "node", "TypeError: cart.total is not a function", "bad.mjs", 1},
      {"java.txt", error, "java",
       "java.lang.IllegalStateException: no order\ncaused by java.lang.RuntimeException: db down",
       "Bad.java", 1},
      {"go_panic.txt", error, "go", "panic: runtime error: index out of range [5] with length 1",
       "main.go", 5},
      {"ruby.txt", error, "ruby", "NoMethodError: undefined method `sum_all' for []:Array",
       "bad.rb", 2},
      {"php.txt", error, "php", "Error: Call to a member function sum() on null", "bad.php", 2},
      {"rust_panic.txt", error, "rust", "panic: index out of bounds: the len is 1", "src/lib.rs",
       1},
      {"tsc_pipe.txt", build_failed, "tsc", "TS2322: Type 'string' is not assignable", "bad.ts", 1},
      {"tsc_tty.txt", build_failed, "tsc", "TS2322: Type 'string' is not assignable", "bad.ts", 1},
      {"rustc.txt", build_failed, "rust", "E0425: cannot find value `m`", "bad_syntax.rs", 1},
      {"go_build.txt", build_failed, "go", "cannot use \"text\"", "main.go", 4},
      {"javac.txt", build_failed, "java", "incompatible types: String cannot", "Worse.java", 1},
      {"esbuild.txt", build_failed, "esbuild", "Unexpected \";\"", "es.js", 2},
      {"webpack.txt", build_failed, "webpack", "Module parse failed: Unexpected token (2:10)",
       "index.js", 2},
      {"webpack_missing.txt", build_failed, "webpack", "Module not found: Error: Can't resolve",
       "index.js", 1},
      {"vite_build.txt", build_failed, "vite", "[PARSE_ERROR] Unexpected token", "main.js", 1},
  };
  for (const auto& expected : faults)
    for (const std::size_t piece : {1UL, 7UL, 100'000UL}) {
      CAPTURE(std::string{expected.file});
      CAPTURE(piece);
      const auto found = found_in_output(captured_output(expected.file), 1, piece);
      REQUIRE(!found.empty());
      CHECK(found[0].kind == expected.kind);
      CHECK(found[0].tool == expected.tool);
      CHECK_MESSAGE(found[0].message.starts_with(expected.message), found[0].message);
      CHECK_MESSAGE(found[0].file.ends_with(expected.place), found[0].file);
      CHECK(found[0].line == expected.line);
      const bool two = expected.kind == build_failed &&
                       (expected.tool == std::string{"tsc"} || expected.tool == std::string{"go"} ||
                        expected.file == std::string{"rustc.txt"});
      CHECK(found.size() == (two ? 2 : 1));
    }
}

TEST_CASE("output_reader: test runs of real runners") {
  struct captured_run {
    const char* file;
    const char* tool;
    const char* name;
    const char* message;
    std::uint32_t passed;
  };
  const captured_run runs[] = {
      {"pytest.txt", "pytest", "test_a.py::test_one", "assert 1 == 2", 1},
      {"jest.txt", "jest", "adds", "expect(received).toBe(expected)", 1},
      {"vitest.txt", "vitest", "sum.test.mjs > grp > adds", "AssertionError: expected 2 to be 3",
       1},
      {"go_test.txt", "go", "TestPick", "main_test.go:7: pick gave 1, want 2", 0},
      {"cargo_test.txt", "cargo", "tests::adds", "panic: assertion `left == right` failed", 1},
      {"rspec.txt", "rspec", "Cart adds", "it(\"adds\") { expect(1).to eq 2 }", 1},
  };
  for (const auto& expected : runs) {
    CAPTURE(std::string{expected.file});
    const auto found = found_in_output(captured_output(expected.file));
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == output_finding_kind::tests_failed);
    CHECK(found[0].tool == expected.tool);
    CHECK(found[0].failed == 1);
    CHECK(found[0].passed == expected.passed);
    REQUIRE(found[0].failures.size() == 1);
    CHECK(found[0].failures[0].name == expected.name);
    CHECK_MESSAGE(found[0].failures[0].message.starts_with(expected.message),
                  found[0].failures[0].message);
  }
}

TEST_CASE("output_reader: what compiles again ends what was told") {
  output_reader reader;
  mono_time now{};
  reader.take("src/a.ts(1,7): error TS2322: Type 'string' is not assignable.\n", now);
  reader.take("Found 1 error. Watching for file changes.\n", now);
  REQUIRE(reader.take_findings().size() == 1);
  reader.take("\x1B[2J\x1B[3J\x1B[HFile change detected. Starting incremental compilation...\r\n",
              now);
  reader.take("src/a.ts(1,7): error TS2322: Type 'string' is not assignable.\n", now);
  REQUIRE(reader.take_findings().size() == 1);
  reader.take("Found 0 errors. Watching for file changes.\n", now);
  const auto found = reader.take_findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == output_finding_kind::build_passed);
  CHECK(found[0].message == "tsc: compiles again");
}

TEST_CASE("output_reader: an exit code of 0 says that what was broken passes") {
  auto found = found_in_output("all is well\n", 0);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == output_finding_kind::build_passed);
  CHECK(found_in_output("all is well\n", 1).empty());
  found = found_in_output("a.ts(1,7): error TS2322: no\n", 0);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == output_finding_kind::build_failed);
}

TEST_CASE("output_reader: text that only looks like a fault is none") {
  const char* texts[] = {
      "INFO: no Error: here\nnext line\n",
      "TypeError: printed without a trace\nand then it goes on\n",
      "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyboardInterrupt\n",
      "(node:1) DeprecationWarning: old\n    at f (/a.js:1:2)\n",
      "panic: not a Go one\nthen text\n",
      "error: could not compile `rs` (bin \"rs\") due to 2 previous errors\n\n",
      "10:12:33 GET /src/main.js 200\n",
      "FAILED to be found\n",
  };
  for (const auto* text : texts) {
    CAPTURE(text);
    CHECK(found_in_output(text).empty());
  }
}

TEST_CASE("output_reader: a trace between log lines, and two in a row, are told apart") {
  const std::string trace = "Traceback (most recent call last):\n"
                            "  File \"/app/orders.py\", line 88, in load\n"
                            "    rows = db.query(sql)\n"
                            "           ^^^^^^^^^^^^^\n"
                            "KeyError: 'id'\n";
  const auto found = found_in_output("[2026-01-01] ERROR in app: Exception on / [GET]\n" + trace +
                                     "127.0.0.1 - - \"GET / HTTP/1.1\" 500 -\n" + trace);
  REQUIRE(found.size() == 2);
  CHECK(found[0].message == "KeyError: 'id'");
  CHECK(found[0].stack == "    at load (/app/orders.py:88)");
}

TEST_CASE("output_reader: a trace that is quiet for half a second is told") {
  output_reader reader;
  mono_time now{};
  reader.take("TypeError: x\n    at f (/a.js:1:2)\n", now);
  reader.pass_time(now + 499ms);
  CHECK(reader.take_findings().empty());
  reader.pass_time(now + 500ms);
  CHECK(reader.take_findings().size() == 1);
}

TEST_CASE("output_reader: among many other lines the same is found, however they arrive") {
  const auto what = [](const std::string& output, std::size_t piece) {
    std::string out;
    for (const auto& found : found_in_output(output, 1, piece))
      out += found.tool + '|' + found.message + '|' + found.file + ':' +
             std::to_string(found.line) + '\n' + found.stack + found.code_frame + '\n';
    return out;
  };
  std::string others;
  for (int i = 0; i < 3000; ++i)
    others += i % 7 == 0 ? "\n"
                         : "\x1B[32m12:00:01\x1B[0m info served page " + std::to_string(i) + "\r\n";
  for (const auto* name : {"python.txt", "node.txt", "java.txt", "go_panic.txt", "php.txt",
                           "rust_panic.txt", "tsc_tty.txt", "rustc.txt", "webpack.txt",
                           "vite_build.txt", "pytest.txt", "jest.txt", "cargo_test.txt"}) {
    CAPTURE(std::string{name});
    const auto output = others + captured_output(name) + "\n" + others;
    const auto whole = what(output, output.size());
    CHECK(whole.size() > 20);
    CHECK(whole == what(output, 1));
  }
}

TEST_CASE("output_reader: the last lines are those that said anything, however they arrive") {
  const auto last = [](const std::string& output, std::size_t piece) {
    output_reader reader;
    for (std::size_t at = 0; at < output.size(); at += piece)
      reader.take(std::string_view{output}.substr(at, piece), mono_time{});
    reader.finish(1, mono_time{});
    return reader.last_lines();
  };
  std::string output{"\n\nfirst\n\n\n"};
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    CHECK(last(output, output.size()) == last(output, 1));
    CHECK(last(output, 700) == last(output, 1));
    output += std::to_string(i) + (i % 3 == 0 ? "\n\n\n" : "\n");
  }
  CHECK(last(output, output.size()).back() == "399");
}

TEST_CASE("output_reader: no output makes it grow") {
  output_reader reader;
  mono_time now{};
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 16; ++i)
    reader.take(piece, now); // one line without end
  reader.take("\nTraceback (most recent call last):\n", now);
  for (int i = 0; i < 10'000; ++i)
    reader.take("  File \"a.py\", line 1, in f\n", now);
  reader.take("ValueError: deep\n", now);
  for (int i = 0; i < 10'000; ++i)
    reader.take("a.ts(" + std::to_string(i) + ",1): error TS1: no\n", now);
  reader.finish(1, now);
  CHECK(reader.take_findings().size() <= 22);
  CHECK(reader.last_lines().size() <= 15);
}

TEST_CASE("plain_lines: what a terminal shows, line by line") {
  struct shown {
    const char* bytes;
    std::vector<std::string> lines;
    int clears;
  };
  const shown all[] = {
      {"a\r\nb\n", {"a", "b"}, 0},
      {"\x1B[31mred\x1B[0m \x1B]8;;http://x\x07link\x1B]8;;\x07\n", {"red link"}, 0},
      {"10 %\r20 %\r100 %\n", {"100 %"}, 0},
      {"old\x1B[2K\x1B[1Gnew\n", {"new"}, 0},
      {"a\x1B[2J\x1B[3J\x1B[Hb\n", {"a", "b"}, 2},
      {"\x1B"
       "cb\n",
       {"b"},
       1},
      {"ab\b\bcd\n", {"cd"}, 0},
      {"cut \x1B[", {"cut"}, 0},
      {"tab\there \n", {"tab\there"}, 0},
      {"\x1B[?2026hframe\x1B[?2026l\n", {"frame"}, 0},
  };
  for (const auto& expected : all) {
    CAPTURE(expected.bytes);
    std::vector<std::string> lines;
    int clears = 0;
    plain_lines reader{[&](std::string_view line) { lines.emplace_back(line); }, [&] { ++clears; }};
    for (const char* c = expected.bytes; *c != '\0'; ++c)
      reader.take({c, 1});
    reader.finish();
    CHECK(lines == expected.lines);
    CHECK(clears == expected.clears);
  }
}
