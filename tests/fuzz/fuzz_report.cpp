#include "tools/ci_report/report_readers.hpp"

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

using namespace gasoline;

// A test report of every format: nothing crashes a reader, and what is refused leaves no half.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text{reinterpret_cast<const char*>(data), size};
  for (auto* const read : {read_junit, read_tap, read_go_test, read_libtest, read_annotations}) {
    std::istringstream in{text};
    test_report report;
    const auto done = read(in, report);
    if (!done && (!report.empty() || done.error().message.empty()))
      std::abort();
    if (report.failures().size() > 100)
      std::abort();
  }
  (void)format_of(text);
  return 0;
}
