#pragma once

#include "config/values/user_error.hpp"
#include "tools/ci_report/test_report.hpp"

#include <iosfwd>
#include <string>
#include <string_view>

namespace gasoline {

/// The formats of test reports that are understood.
enum class report_format : unsigned char { junit, tap, go_test, libtest, annotations, unknown };

/// Their names as a source of results: junit, tap, go-test, cargo-test, annotations.
std::string_view name_of(report_format format);

/// Tells the format by the first bytes of a report, some 64 KB of them.
report_format format_of(std::string_view beginning);

/// Each reads a report to its end, with memory that does not grow with it, and adds to `out`. The
/// error says what is wrong, as the end of a sentence about the file.

/// JUnit XML of any dialect: `testsuites`, a bare or nested `testsuite`, failures told by attribute
/// or text; several documents one after the other, as Rust's test programs write them. Control
/// characters that XML forbids are taken out first; a document type or entities of its own are
/// refused, and so is a tag of more than 8 MB or nesting beyond 100.
result_or<bool> read_junit(std::istream& in, test_report& out);

/// TAP 12 to 14 with subtests, TODO, SKIP, YAML blocks, plan and `Bail out!`.
result_or<bool> read_tap(std::istream& in, test_report& out);

/// `go test -json`: one JSON object a line, and between them what does not compile.
result_or<bool> read_go_test(std::istream& in, test_report& out);

/// `cargo test -- -Z unstable-options --format json`: one JSON object a line.
result_or<bool> read_libtest(std::istream& in, test_report& out);

/// What test runners and compilers print for people, as `gasoline run` reads it. The name of the
/// tool that was recognised; an error when nothing was.
result_or<std::string> read_console(std::istream& in, test_report& out);

/// The `::error file=…::…` and `##[error]` lines of a GitHub Actions log.
result_or<bool> read_annotations(std::istream& in, test_report& out);

} // namespace gasoline
