// What `gh` and `glab` print, the first byte saying which question it answers: read, and told.
#include "tools/ci_watch/run_result.hpp"
#include "tools/ci_watch/run_watch.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace gasoline;

namespace {

void tell(const watched_run& run, const std::string& log) {
  run_report report{run, {{"1", "job", "step"}}, {log}};
  if (result_of_run(report, "fuzz")["failures"].empty())
    std::abort(); // the job itself is there at least
}

} // namespace

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0)
    return 0;
  const std::string text{reinterpret_cast<const char*>(data) + 1, size - 1};
  run_watch watch;
  switch (data[0] % 5) {
  case 0:
    if (const auto runs = read_gh_runs(text))
      watch.take("main", *runs);
    break;
  case 1:
    (void)read_gh_jobs(text);
    break;
  case 2:
    if (const auto runs = read_glab_runs(text))
      watch.take("main", *runs);
    break;
  case 3:
    (void)read_glab_jobs(text);
    break;
  default:
    tell(watched_run{}, log_of_job(text, "unit tests"));
  }
  return 0;
}
