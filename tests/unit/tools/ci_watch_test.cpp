#include "tools/ci_watch/run_result.hpp"
#include "tools/ci_watch/run_watch.hpp"
#include "tools/ci_watch/watched_run.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gasoline {
namespace {

using namespace std::chrono_literals;

watched_run listed_run(std::string id, std::string result) {
  watched_run out;
  out.id = std::move(id);
  out.result = std::move(result);
  return out;
}

std::vector<std::string> ids(const std::vector<watched_run>& runs) {
  std::vector<std::string> out;
  for (const auto& run : runs)
    out.push_back(run.id);
  return out;
}

using names = std::vector<std::string>;

} // namespace

TEST_CASE("the first look at a branch is where the watch begins") {
  run_watch watch;
  CHECK(watch.take("main", {listed_run("2", ""), listed_run("1", "failure")}).empty());
  CHECK(watch.is_running());
  CHECK(ids(watch.take("main", {listed_run("3", "success"), listed_run("2", "failure"),
                                listed_run("1", "failure")})) == names{"2", "3"});
  CHECK_FALSE(watch.is_running());
  CHECK(watch.take("main", {listed_run("3", "success"), listed_run("2", "failure")}).empty());
  // A run that is tried again ends again.
  CHECK(watch.take("main", {listed_run("2", "")}).empty());
  CHECK(ids(watch.take("main", {listed_run("2", "failure")})) == names{"2"});
  CHECK(watch.take("other", {listed_run("9", "failure")}).empty());
}

TEST_CASE("no run yet is normal") {
  run_watch watch;
  CHECK(watch.take("main", {}).empty());
  CHECK(ids(watch.take("main", {listed_run("1", "failure")})) == names{"1"});
}

TEST_CASE("looks get rarer while nothing happens, and rarer still after errors") {
  poll_pace pace{15s};
  CHECK(pace.after_nothing() == 15s);
  CHECK(pace.after_nothing() == 30s);
  for (int i = 0; i < 10; ++i)
    pace.after_nothing();
  CHECK(pace.after_nothing() == 300s);
  CHECK(pace.after_news() == 15s);
  for (int i = 0; i < 10; ++i)
    pace.after_failure();
  CHECK(pace.after_failure() == 600s);
}

TEST_CASE("what gh lists") {
  const auto runs = read_gh_runs(R"([{"conclusion":"","databaseId":16,"displayTitle":"Add carts",
    "headBranch":"main","headSha":"abc","startedAt":"2026-01-28T14:00:00Z","status":"in_progress",
    "updatedAt":"2026-01-28T14:01:00Z","url":"https://github.com/o/r/actions/runs/16",
    "workflowName":"CI"},{"conclusion":"failure","databaseId":15,"status":"completed"}])");
  REQUIRE(runs);
  REQUIRE(runs->size() == 2);
  CHECK(runs->at(0).id == "16");
  CHECK(runs->at(0).result.empty());
  CHECK(runs->at(0).workflow == "CI");
  CHECK(runs->at(1).result == "failure");
  CHECK(read_gh_runs("[]")->empty());
  CHECK_FALSE(read_gh_runs("no runs found"));
  CHECK_FALSE(read_gh_runs("{}"));
  CHECK(read_gh_runs("[1,null,{\"databaseId\":[]}]")->size() == 3);
  const auto jobs = read_gh_jobs(R"({"jobs":[{"name":"build","conclusion":"success"},
    {"name":"test","conclusion":"failure","steps":[{"name":"Checkout","conclusion":"success"},
    {"name":"Run tests","conclusion":"failure"},{"name":"Post","conclusion":"failure"}]}]})");
  REQUIRE(jobs);
  REQUIRE(jobs->size() == 1);
  CHECK(jobs->at(0).name == "test");
  CHECK(jobs->at(0).step == "Run tests");
}

TEST_CASE("what glab lists") {
  const auto runs = read_glab_runs(R"([{"id":31,"iid":3,"status":"failed","ref":"main","sha":"abc",
    "web_url":"https://gitlab.example/p/-/pipelines/31"},{"id":30,"status":"running"}])");
  REQUIRE(runs);
  CHECK(runs->at(0).result == "failed");
  CHECK(runs->at(1).result.empty());
  CHECK(read_glab_runs("null")->empty());
  const auto jobs = read_glab_jobs(R"({"id":31,"jobs":[
    {"id":1,"name":"unit","stage":"test","status":"failed"},
    {"id":4,"name":"unit","stage":"test","status":"failed"},
    {"id":2,"name":"style","status":"failed","allow_failure":true},
    {"id":3,"name":"flaky","status":"failed"},{"id":5,"name":"flaky","status":"success"}]})");
  REQUIRE(jobs);
  REQUIRE(jobs->size() == 1);
  CHECK(jobs->at(0).id == "4");
}

TEST_CASE("the last lines of a log, without what the CI system added") {
  const std::string log = "test\tRun tests\t2026-01-28T14:30:00.1234567Z ##[group]Run npm test\n"
                          "test\tRun tests\t2026-01-28T14:30:01.0Z \x1b[31mFAIL\x1b[0m cart\r\n"
                          "test\tRun tests\t2026-01-28T14:30:02.0Z \n"
                          "other\tLint\t2026-01-28T14:30:02.0Z unrelated\n"
                          "test\tRun tests\t2026-01-28T14:30:03.0Z ##[error]Process completed "
                          "with exit code 1.\n";
  CHECK(log_tail(log_of_job(log, "test"), 5) == "FAIL cart\nProcess completed with exit code 1.");
  CHECK(log_tail(log_of_job(log, "test"), 1) == "Process completed with exit code 1.");
  CHECK(log_tail(log_of_job("plain\n", "test"), 5) == "plain");
  CHECK(log_tail("", 5).empty());
}

TEST_CASE("a run that failed names its jobs, its tests and the end of the log") {
  run_report report;
  report.run = listed_run("7", "failure");
  report.run.workflow = "CI";
  report.run.begun = "2026-01-28T14:00:00Z";
  report.run.ended = "2026-01-28T14:01:00Z";
  report.jobs.push_back({"", "test", "Run tests"});
  report.logs.emplace_back(
      "2026-01-28T14:00:00.0Z =================== FAILURES ===================\n"
      "2026-01-28T14:00:01.0Z __________________ test_total __________________\n"
      "2026-01-28T14:00:02.0Z E       assert 3 == 4\n"
      "2026-01-28T14:00:03.0Z FAILED test_cart.py::test_total - assert 3 == 4\n"
      "2026-01-28T14:00:03.0Z ===== 1 failed, 2 passed in 0.10s =====\n");
  const auto body = result_of_run(report, "github-actions");
  CHECK(body["status"] == "failure");
  CHECK(body["duration_ms"] == 60'000);
  REQUIRE(body["failures"].size() == 2);
  CHECK(body["failures"][0]["name"].get<std::string>().find("test_total") != std::string::npos);
  CHECK(body["failures"][1]["name"] == "test: Run tests");
  CHECK(body["failures"][1]["message"].get<std::string>().find("1 failed, 2 passed") !=
        std::string::npos);
}

} // namespace gasoline
