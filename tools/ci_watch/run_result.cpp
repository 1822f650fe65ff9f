#include "tools/ci_watch/run_result.hpp"

#include "messages/base/time.hpp"
#include "tools/ci_watch/run_watch.hpp"
#include "tools/run/output_reader.hpp"

#include <nlohmann/json.hpp>

#include <set>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::size_t lines_shown = 8;
constexpr std::size_t most_tests = 50;

json failure(const std::string& name, const std::string& message) {
  return {{"name", name}, {"message", message}};
}

/// The tests that a job's log says have failed, as `gasoline run` reads output.
std::vector<failed_test> failed_tests_in(const std::string& log) {
  output_reader reader;
  // Without what the CI system put before each line.
  reader.take(log_tail(log, std::string::npos) + "\n", mono_time{});
  reader.finish(1, mono_time{});
  std::vector<failed_test> out;
  std::set<std::string> known;
  for (const auto& found : reader.take_findings())
    for (const auto& test : found.failures)
      if (out.size() < most_tests && known.insert(test.name).second)
        out.push_back(test);
  return out;
}

json failures_of(const run_report& report) {
  json out = json::array();
  for (std::size_t i = 0; i < report.jobs.size(); ++i) {
    const auto& job = report.jobs[i];
    const auto log = i < report.logs.size() ? report.logs[i] : std::string{};
    const auto tests = failed_tests_in(log);
    for (const auto& test : tests)
      out.push_back(failure(test.name, test.message));
    const auto name = job.step.empty() ? job.name : job.name + ": " + job.step;
    out.push_back(failure(name, log_tail(log, lines_shown)));
  }
  return out;
}

} // namespace

json result_of_run(const run_report& report, const std::string& source) {
  const auto& run = report.run;
  json out{{"status", run.result}, {"source", source},
           {"ref", run.ref},       {"commit", run.commit},
           {"job", run.workflow},  {"summary", run.title},
           {"url", run.url},       {"failures", failures_of(report)}};
  const auto begun = from_iso8601(run.begun);
  const auto ended = from_iso8601(run.ended);
  if (begun && ended && *ended >= *begun)
    out["duration_ms"] = (*ended - *begun).count();
  return out;
}

} // namespace gasoline
