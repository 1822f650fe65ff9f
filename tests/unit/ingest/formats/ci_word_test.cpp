#include "actors/ingest/formats/ci_hooks/ci_word.hpp"

#include <doctest/doctest.h>

using namespace gasoline;

TEST_CASE("words of CI systems mean one of few things, whatever their case and separators") {
  for (const auto* word : {"success", "Success", "SUCCESS", "passed"})
    CHECK(ci_status_of(word) == ci_status::success);
  for (const auto* word : {"failure", "failed", "FAILURE", "timed_out", "TIMED OUT", "timedOut",
                           "startup_failure", "broken"})
    CHECK(ci_status_of(word) == ci_status::failure);
  CHECK(ci_status_of("error") == ci_status::error);
  CHECK(ci_status_of("Unstable") == ci_status::unstable);
  for (const auto* word : {"cancelled", "canceled", "aborted", "action_required"})
    CHECK(ci_status_of(word) == ci_status::cancelled);
  for (const auto* word : {"skipped", "neutral", "stale", "NOT_BUILT"})
    CHECK(ci_status_of(word) == ci_status::skipped);
  for (const auto* word : {"running", "pending", "manual", "in_progress", "queued"})
    CHECK(ci_status_of(word) == ci_status::running);
  CHECK(ci_status_of("banana") == ci_status::unknown);
  CHECK(ci_status_of("échec") == ci_status::unknown);
}

TEST_CASE("what holds no letter is no word") {
  for (const auto* word : {"", "  ", "5", "--"})
    CHECK_FALSE(ci_status_of(word));
}
