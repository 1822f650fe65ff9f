#include "tools/ci_report/report_readers.hpp"
#include "tools/run/output_reader.hpp"

#include <array>
#include <istream>

namespace gasoline {
namespace {

constexpr std::size_t console_chunk_bytes = 64U << 10U;

void add_run(const output_finding& run, test_report& out) {
  for (const auto& failure : run.failures)
    out.add(failure.name, test_outcome::failed, failure.message);
  if (run.kind == output_finding_kind::tests_failed && run.failures.empty())
    out.add_fault(run.tool, run.message);
  out.add_passed(run.passed);
}

std::string name_of_fault(const output_finding& found) {
  if (found.kind == output_finding_kind::error || found.file.empty())
    return found.message.substr(0, found.message.find('\n'));
  return found.file + (found.line > 0 ? ":" + std::to_string(found.line) : "");
}

} // namespace

result_or<std::string> read_console(std::istream& in, test_report& out) {
  output_reader reader;
  std::array<char, console_chunk_bytes> chunk{};
  std::string tool;
  const auto add = [&] {
    for (const auto& found : reader.take_findings()) {
      if (found.kind == output_finding_kind::build_passed)
        continue;
      if (tool.empty())
        tool = found.tool;
      if (found.kind == output_finding_kind::tests_failed ||
          found.kind == output_finding_kind::tests_passed)
        add_run(found, out);
      else
        out.add_fault(name_of_fault(found), found.message);
    }
  };
  while (in) {
    in.read(chunk.data(), chunk.size());
    reader.take({chunk.data(), static_cast<std::size_t>(in.gcount())}, mono_time{});
    add();
  }
  reader.finish(-1, mono_time{});
  add();
  if (tool.empty())
    return tl::unexpected(
        user_error{"is no report that is known here: JUnit XML, TAP, `go test "
                   "-json`, Rust's test events, a log with ::error lines, or what "
                   "pytest, jest, vitest, go test, cargo test, RSpec and PHPUnit "
                   "print when a test fails"});
  return tool;
}

} // namespace gasoline
