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
  CHECK(h.add(result(ci_status::failure, "main", "a"), at(1)) == ci_news::reported);
  CHECK(h.add(result(ci_status::failure, "main", "a"), at(2)) == ci_news::repeated);
  REQUIRE(h.entries().size() == 1);
  CHECK(h.entries()[0].at == at(2));
}

TEST_CASE("source, commit, status and branch tell results apart") {
  ci_history h{limits{}};
  CHECK(h.add(result(ci_status::failure, "main", "a"), at(1)) == ci_news::reported);
  CHECK(h.add(result(ci_status::failure, "main", "b"), at(1)) == ci_news::reported);
  CHECK(h.add(result(ci_status::error, "main", "b"), at(1)) == ci_news::reported);
  CHECK(h.add(result(ci_status::error, "main", "b", "gitlab-ci"), at(1)) == ci_news::reported);
  CHECK(h.add(result(ci_status::failure, "dev", "c"), at(1)) == ci_news::reported);
  CHECK(h.add(result(ci_status::error, "main", "b"), at(1)) == ci_news::repeated);
  CHECK(h.entries().size() == 5);
}

TEST_CASE("the ref stands in for a missing commit") {
  ci_history h{limits{}};
  CHECK(h.add(result(ci_status::failure, "main", ""), at(1)) == ci_news::reported);
  CHECK(h.add(result(ci_status::failure, "dev", ""), at(1)) == ci_news::reported);
  CHECK(h.add(result(ci_status::failure, "main", ""), at(1)) == ci_news::repeated);
}

TEST_CASE("a success after a failure of that source and ref is a recovery") {
  ci_history h{limits{}};
  h.add(result(ci_status::failure, "main", "a"), at(1));
  CHECK(h.add(result(ci_status::success, "dev", "b"), at(1)) == ci_news::reported);
  CHECK(h.add(result(ci_status::success, "main", "b"), at(1)) == ci_news::recovered);
  CHECK(h.add(result(ci_status::success, "main", "c"), at(1)) == ci_news::reported);
}

TEST_CASE("a late redelivery is no news, a status that comes back is") {
  ci_history h{limits{}};
  h.add(result(ci_status::failure, "main", "a"), at(1));
  h.add(result(ci_status::failure, "main", "b"), at(2));
  CHECK(h.add(result(ci_status::failure, "main", "a"), at(3)) == ci_news::repeated);
  CHECK(h.add(result(ci_status::success, "main", "a"), at(4)) == ci_news::recovered);
  CHECK(h.add(result(ci_status::failure, "main", "a"), at(5)) == ci_news::reported);
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
