#include "actors/detection/ci_history.hpp"

#include <doctest/doctest.h>

using namespace gasoline;

namespace {

ci_result_ptr result(ci_status status, literal ref, literal commit,
                     literal source = "github-actions") {
  ci_result r;
  r.status = status;
  r.source = source;
  r.ref = ref;
  r.commit = commit;
  return std::make_shared<const ci_result>(std::move(r));
}

wall_time at(int seconds) {
  return wall_time{} + std::chrono::seconds{seconds};
}

} // namespace

TEST_CASE("the same key updates in place") {
  ci_history h{limits{}};
  CHECK(h.add(result(ci_status::failure, "main", "a"), at(1)).news == ci_news::reported);
  CHECK(h.add(result(ci_status::failure, "main", "a"), at(2)).news == ci_news::repeated);
  REQUIRE(h.entries().size() == 1);
  CHECK(h.entries()[0].at == at(2));
}

TEST_CASE("source, commit, status and branch tell results apart") {
  ci_history h{limits{}};
  CHECK(h.add(result(ci_status::failure, "main", "a"), at(1)).news == ci_news::reported);
  CHECK(h.add(result(ci_status::failure, "main", "b"), at(1)).news == ci_news::reported);
  CHECK(h.add(result(ci_status::error, "main", "b"), at(1)).news == ci_news::reported);
  CHECK(h.add(result(ci_status::error, "main", "b", "gitlab-ci"), at(1)).news == ci_news::reported);
  CHECK(h.add(result(ci_status::failure, "dev", "c"), at(1)).news == ci_news::reported);
  CHECK(h.add(result(ci_status::error, "main", "b"), at(1)).news == ci_news::repeated);
  CHECK(h.entries().size() == 5);
}

TEST_CASE("the ref stands in for a missing commit") {
  ci_history h{limits{}};
  CHECK(h.add(result(ci_status::failure, "main", ""), at(1)).news == ci_news::reported);
  CHECK(h.add(result(ci_status::failure, "dev", ""), at(1)).news == ci_news::reported);
  CHECK(h.add(result(ci_status::failure, "main", ""), at(1)).news == ci_news::repeated);
}

TEST_CASE("a success after a failure of that source and ref is a recovery") {
  ci_history h{limits{}};
  h.add(result(ci_status::failure, "main", "a"), at(1));
  CHECK(h.add(result(ci_status::success, "dev", "b"), at(1)).news == ci_news::reported);
  CHECK(h.add(result(ci_status::success, "main", "b"), at(1)).news == ci_news::recovered);
  CHECK(h.add(result(ci_status::success, "main", "c"), at(1)).news == ci_news::reported);
}

TEST_CASE("a late redelivery is no news, a status that comes back is") {
  ci_history h{limits{}};
  h.add(result(ci_status::failure, "main", "a"), at(1));
  h.add(result(ci_status::failure, "main", "b"), at(2));
  CHECK(h.add(result(ci_status::failure, "main", "a"), at(3)).news == ci_news::repeated);
  CHECK(h.add(result(ci_status::success, "main", "a"), at(4)).news == ci_news::recovered);
  CHECK(h.add(result(ci_status::failure, "main", "a"), at(5)).news == ci_news::reported);
}

TEST_CASE("ten are kept") {
  ci_history h{limits{}};
  constexpr literal commits[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
  for (const auto& commit : commits)
    h.add(result(ci_status::failure, "main", commit), at(1));
  REQUIRE(h.entries().size() == 10);
  CHECK(h.entries().front().result->commit.str() == "c");
  CHECK(h.entries().back().result->commit.str() == "l");
}

namespace {

ci_result_ptr run_of(ci_status status, literal commit, literal job, literal url,
                     std::uint32_t attempt = 0) {
  ci_result r;
  r.status = status;
  r.source = literal{"gh"};
  r.ref = literal{"main"};
  r.commit = commit;
  r.job = job;
  r.url = url;
  r.attempt = attempt;
  return std::make_shared<const ci_result>(std::move(r));
}

} // namespace

TEST_CASE("jobs and runs of one commit are results of their own") {
  ci_history h{limits{}};
  CHECK(h.add(run_of(ci_status::failure, "a", "unit", ""), at(1)).news == ci_news::reported);
  CHECK(h.add(run_of(ci_status::failure, "a", "lint", ""), at(2)).news == ci_news::reported);
  CHECK(h.add(run_of(ci_status::failure, "a", "unit", ""), at(3)).news == ci_news::repeated);
  CHECK(h.add(run_of(ci_status::success, "b", "docs", ""), at(4)).news == ci_news::reported);
  const auto fixed = h.add(run_of(ci_status::success, "b", "lint", ""), at(5));
  CHECK(fixed.news == ci_news::recovered);
  REQUIRE(fixed.ended);
  CHECK(fixed.ended->job.str() == "lint");
}

TEST_CASE("runs without a job are told apart by their URL, whatever the attempt") {
  ci_history h{limits{}};
  const literal one = "https://ci.test/runs/1";
  const literal two = "https://ci.test/runs/2";
  CHECK(h.add(run_of(ci_status::failure, "a", "", one), at(1)).news == ci_news::reported);
  CHECK(h.add(run_of(ci_status::success, "a", "", two), at(2)).news == ci_news::reported);
  CHECK(h.add(run_of(ci_status::failure, "a", "", "https://ci.test/runs/1/attempts/1?x=1"), at(3))
            .news == ci_news::repeated);
  const auto fixed = h.add(run_of(ci_status::success, "b", "", "https://ci.test/runs/3"), at(4));
  CHECK(fixed.news == ci_news::recovered);
  CHECK(h.add(run_of(ci_status::success, "c", "", "https://ci.test/runs/4"), at(5)).news ==
        ci_news::reported);
}

TEST_CASE("an older attempt changes nothing, a newer one is news") {
  ci_history h{limits{}};
  const literal url = "https://ci.test/runs/1";
  h.add(run_of(ci_status::failure, "a", "", url, 1), at(1));
  CHECK(h.add(run_of(ci_status::success, "a", "", url, 2), at(2)).news == ci_news::recovered);
  CHECK(h.add(run_of(ci_status::failure, "a", "", url, 1), at(3)).news == ci_news::outdated);
  CHECK(h.entries().back().result->status == ci_status::success);
  CHECK(h.add(run_of(ci_status::failure, "a", "", url, 3), at(4)).news == ci_news::reported);
  CHECK(h.add(run_of(ci_status::failure, "a", "", url, 4), at(5)).news == ci_news::reported);
}

TEST_CASE("a state before the end gives way to the end; a cancelled run ends nothing") {
  ci_history h{limits{}};
  h.add(run_of(ci_status::failure, "a", "", ""), at(1));
  CHECK(h.add(run_of(ci_status::running, "b", "", ""), at(2)).news == ci_news::reported);
  CHECK(h.add(run_of(ci_status::running, "b", "", ""), at(3)).news == ci_news::outdated);
  CHECK(h.add(run_of(ci_status::cancelled, "b", "", ""), at(4)).news == ci_news::reported);
  CHECK(h.entries().size() == 2);
  CHECK(h.add(run_of(ci_status::running, "b", "", ""), at(5)).news == ci_news::outdated);
  CHECK(h.add(run_of(ci_status::success, "c", "", ""), at(6)).news == ci_news::recovered);
}
