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
      {"vite_dev.txt", build_failed, "vite", "[PARSE_ERROR] Expected `,` or `)` but found `;`",
       "main.ts", 1},
      {"node_emitted.txt", error, "node", "Error: unheard", "throws.js", 15},
      {"node_assert.txt", error, "node",
       "AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:\n", "throws.js",
       9},
      {"node_thrown_text.txt", error, "node", "Uncaught no stock", "throws.js", 2},
      {"node_rejection.txt", error, "node", "UnhandledPromiseRejection: no stock", "promises", 389},
      {"fastify.txt", error, "node", "TypeError: in fastify", "throws.js", 20},
      {"go_panic_twice.txt", error, "go", "panic: second: first\ncaused by first", "main.go", 43},
      {"python_group.txt", error, "python",
       "ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)\n"
       "caused by ValueError: in task",
       "g.py", 2},
      {"php_server.txt", error, "php",
       "RuntimeException: order failed\ncaused by DivisionByZeroError: Division by zero",
       "index.php", 5},
      {"sinatra.txt", error, "ruby", "KeyError: key not found: :sku", "app.rb", 3},
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
      {"rspec.txt", "rspec", "Cart adds", "expected: 2 got: 1", 1},
      {"phpunit.txt", "phpunit", "CartTest::testTotal",
       "Failed asserting that 3 is identical to 4.", 1},
      {"pytest_collection.txt", "pytest", "bad_import_test.py",
       "ModuleNotFoundError: No module named 'nothing_here'", 0},
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

TEST_CASE("output_reader: which tests failed and why, of runs with several failures") {
  struct captured_run {
    const char* file;
    const char* tool;
    std::vector<failed_test> failures;
  };
  const captured_run runs[] = {
      {"vitest_pipe_errors.txt",
       "vitest",
       {{"a.test.ts > cart > totals", "AssertionError: expected 3 to be 4 // Object.is equality"},
        {"a.test.ts > cart > rejects", "TypeError: no stock"},
        {"a.test.ts > cart > snap", "AssertionError: expected { a: 1 } to match object { a: 2 }"}}},
      {"node_test_tap.txt",
       "tap",
       {{"totals", "Expected values to be strictly equal:"},
        {"inner", "bad cart"},
        {"deep", "1 subtest failed"}}},
      {"node_test.txt",
       "node",
       {{"totals", "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:"},
        {"inner", "TypeError [Error]: bad cart"},
        {"deep", ""}}},
      {"go_test_verbose.txt",
       "go",
       {{"TestTotal", ""},
        {"TestTotal/empty", "cart_test.go:6: got 3, want 4"},
        {"TestNil", "panic: runtime error: invalid memory address or nil pointer dereference"}}},
  };
  for (const auto& expected : runs)
    for (const std::size_t piece : {1UL, 100'000UL}) {
      CAPTURE(std::string{expected.file});
      const auto found = found_in_output(captured_output(expected.file), 1, piece);
      REQUIRE(found.size() == 1);
      CHECK(found[0].tool == expected.tool);
      REQUIRE(found[0].failures.size() == expected.failures.size());
      for (std::size_t i = 0; i < expected.failures.size(); ++i) {
        CHECK(found[0].failures[i].name == expected.failures[i].name);
        const auto& message = found[0].failures[i].message;
        CHECK(message.starts_with(expected.failures[i].message));
        CHECK(message.empty() == expected.failures[i].message.empty());
      }
    }
}

TEST_CASE("output_reader: PHPUnit's numbers are PHPUnit's") {
  const auto found = found_in_output("Tests: 5, Assertions: 9, Errors: 1, Failures: 2.\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].tool == "phpunit");
  CHECK(found[0].kind == output_finding_kind::tests_failed);
  CHECK(found[0].message == "3 failed, 2 passed");
  const auto passed = found_in_output("PHPUnit 9.6.7\n\nOK (5 tests, 9 assertions)\n", 0);
  REQUIRE(!passed.empty());
  CHECK(passed[0].kind == output_finding_kind::tests_passed);
  CHECK(passed[0].message == "5 passed");
}

TEST_CASE("output_reader: a run whose end nothing says is told once its output is quiet") {
  output_reader reader;
  mono_time now{};
  reader.take(captured_output("node_test.txt"), now);
  CHECK(reader.take_findings().empty());
  reader.pass_time(now + 500ms);
  REQUIRE(reader.take_findings().size() == 1);
  reader.take("\u2714 adds (1.341191ms)\n\u2139 tests 1\n\u2139 fail 0\n", now + 1s);
  reader.pass_time(now + 2s);
  const auto found = reader.take_findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == output_finding_kind::tests_passed);
}

// Written after the documents of these tools; the real ones have not run here.
TEST_CASE("output_reader: what further tools are known to print") {
  using enum output_finding_kind;
  struct known_output {
    const char* text;
    output_finding_kind kind;
    const char* tool;
    const char* message;
    const char* place;
    std::uint32_t line;
  };
  const known_output outputs[] = {
      {"Unhandled exception. System.InvalidOperationException: Cart is empty\n"
       " ---> System.ArgumentException: no such item\n"
       "   at Shop.Cart.Price(String sku) in /src/Cart.cs:line 31\n"
       "   --- End of inner exception stack trace ---\n"
       "   at Shop.Cart.Total() in /src/Cart.cs:line 42\n",
       error, "dotnet",
       "System.InvalidOperationException: Cart is empty\n"
       "caused by System.ArgumentException: no such item",
       "/src/Cart.cs", 42},
      {"/src/Cart.cs(12,17): error CS0103: The name 'totl' does not exist [/src/Shop.csproj]\n"
       "/src/Cart.cs(12,17): error CS0103: The name 'totl' does not exist [/src/Shop.csproj]\n",
       build_failed, "dotnet", "CS0103: The name 'totl' does not exist", "/src/Cart.cs", 12},
      {"e: file:///src/Main.kt:7:5 Unresolved reference: totl\n", build_failed, "kotlin",
       "Unresolved reference: totl", "/src/Main.kt", 7},
      {"e: /src/Main.kt: (7, 5): Unresolved reference: totl\n", build_failed, "kotlin",
       "Unresolved reference: totl", "/src/Main.kt", 7},
      {"10:00 ERROR 42 --- [exec-1] [dispatcherServlet] : Servlet.service() threw exception "
       "[Request processing failed: java.lang.IllegalStateException: no stock] with root cause\n\n"
       "java.lang.IllegalStateException: no stock\n"
       "\tat com.shop.Orders.reserve(Orders.java:44) ~[classes/:na]\n"
       "\tat java.base/java.lang.Thread.run(Thread.java:1583) ~[na:na]\n"
       "\t... 42 common frames omitted\n",
       error, "java", "java.lang.IllegalStateException: no stock", "Orders.java", 44},
      {"[Recovery] 2026/03/01 - 10:00:03 panic recovered:\nGET /orders/9 HTTP/1.1\nAccept: */*\n\n"
       "runtime error: index out of range [3] with length 2\n"
       "/usr/lib/go/src/runtime/panic.go:114 (0x43ab9b)\n\tgoPanicIndex: panic(boundsError{})\n"
       "/home/dev/shop/handlers.go:33 (0x8a2b1e)\n\tgetOrder: return items[3]\n\n",
       error, "go", "panic: runtime error: index out of range [3] with length 2",
       "/home/dev/shop/handlers.go", 33},
      {"ActionView::Template::Error (undefined local variable 'prise'):\n"
       "    1: <h1>Order</h1>\n    2: <p><%= prise %></p>\n  \napp/views/orders/show.html.erb:2\n",
       error, "ruby", "ActionView::Template::Error: undefined local variable 'prise'",
       "show.html.erb", 2},
      {"[2026-11-30 10:00:00] ERROR NoMethodError: undefined method 'total' for nil\n"
       "\t/usr/lib/ruby/gems/3.1.0/gems/rack/lib/rack.rb:9:in 'call'\n\tapp.rb:4:in 'block'\n",
       error, "ruby", "NoMethodError: undefined method 'total' for nil", "app.rb", 4},
      {"[2026-03-01 10:00:00] local.ERROR: Table 'orders' doesn't exist {\"exception\":\"[object] "
       "(Illuminate\\\\Database\\\\QueryException(code: 42S02): Table 'orders' doesn't exist at "
       "/srv/app/vendor/laravel/Connection.php:760)\n[stacktrace]\n"
       "#0 /srv/app/vendor/laravel/Connection.php(720): run()\n"
       "#1 /srv/app/app/OrderController.php(21): Illuminate\\\\Builder->get()\n#2 {main}\n\"} \n",
       error, "php", "Illuminate\\Database\\QueryException: Table 'orders' doesn't exist",
       "OrderController.php", 21},
      {"[2026-03-01T10:00:00+00:00] request.CRITICAL: Uncaught PHP Exception RuntimeException: "
       "\"no "
       "stock\" {\"exception\":\"[object] (RuntimeException(code: 0): no stock at "
       "/srv/app/src/OrderController.php:21)\"} []\n",
       error, "php", "RuntimeException: no stock", "OrderController.php", 21},
      {R"({"level":"error","event":"job failed","exception":"Traceback (most recent call last):\n  File \"/app/jobs.py\", line 12, in run\n    load()\nKeyError: 'id'"})"
       "\n",
       error, "python", "KeyError: 'id'", "/app/jobs.py", 12},
      {R"({"level":"error","ts":1.5,"msg":"cannot load","error":"no rows","stacktrace":"main.load\n\t/app/orders.go:41\nmain.main\n\t/app/main.go:9"})"
       "\n",
       error, "go", "cannot load: no rows", "/app/orders.go", 41},
  };
  for (const auto& expected : outputs) {
    CAPTURE(std::string{expected.text});
    const auto found = found_in_output(expected.text);
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == expected.kind);
    CHECK(found[0].tool == expected.tool);
    CHECK_MESSAGE(found[0].message == expected.message, found[0].message);
    CHECK_MESSAGE(found[0].file.ends_with(expected.place), found[0].file);
    CHECK(found[0].line == expected.line);
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
      "{\"level\":30,\"msg\":\"ok\",\"stack\":\"Error: x\\n    at f (/a.js:1:2)\"}\n",
      "[2026-03-01 10:00:00] local.INFO: [object] (x)\n",
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

TEST_CASE("plain_lines: a line that was painted over for long shows what was painted last") {
  for (const std::string begin : {"\r", "\x1B[2K\x1B[1G"})
    for (const std::size_t piece : {100UL, 1000UL, 100'000UL}) {
      std::string output;
      for (int i = 0; i < 5000; ++i)
        output += begin + "building " + std::to_string(i) + " of 5000";
      output += begin + "TypeError: it broke\n    at f (/a.js:1:2)\n";
      const auto found = found_in_output(output, 1, piece);
      REQUIRE(found.size() == 1);
      CHECK(found[0].message == "TypeError: it broke");
    }
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
