#include "actors/ingest/formats/ci_hooks/hook_signature.hpp"
#include "tests/unit/support/ci_hooks.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
using namespace test;

namespace {

std::string circleci_workflow(std::string_view status) {
  return R"({"id":"e1","type":"workflow-completed","workflow":{"id":"w1","name":"build","status":")" +
         std::string{status} + R"(","created_at":"2021-09-01T22:49:03.616Z",
    "stopped_at":"2021-09-01T22:49:34.170Z","url":"https://app.circleci.com/w1"},
    "pipeline":{"vcs":{"branch":"main","revision":"abc","commit":{"subject":"Add carts"}}}})";
}

} // namespace

TEST_CASE("CircleCI: a workflow, and a failed job of it") {
  const auto r = told_by("ci_circleci", circleci_workflow("failed"));
  CHECK(r.status == ci_status::failure);
  CHECK(r.job == "build");
  CHECK(r.commit == "abc");
  CHECK(r.duration_ms == 30'554);
  const auto job = told_by("ci_circleci", R"({"type":"job-completed","job":{"name":"test",
    "status":"failed"},"workflow":{"name":"build","url":"https://app.circleci.com/w1"},
    "pipeline":{"trigger_parameters":{"git":{"branch":"main","checkout_sha":"abc"}}}})");
  CHECK(job.is_part);
  CHECK(job.failures[0].name == "test");
  CHECK(job.commit == "abc");
  CHECK_FALSE(ignored_by("ci_circleci", circleci_workflow("canceled")).empty());
  CHECK_FALSE(
      ignored_by("ci_circleci", R"({"type":"job-completed","job":{"status":"success"}})").empty());
}

TEST_CASE("CircleCI: one of several signatures") {
  auto decoder = decoder_with({{"circleci", "s"}});
  const auto body = circleci_workflow("failed");
  const auto status_with = [&](const std::string& signature) {
    return deliver(decoder, "ci_circleci", body, {{"circleci-signature", signature}})->refused;
  };
  const auto good = "v1=" + hmac_sha256_hex("s", body);
  CHECK(status_with(good) == 0);
  CHECK(status_with("v0=aa, " + good) == 0);
  CHECK(status_with("v1=aa") == 401);
  CHECK(status_with("") == 401);
}

} // namespace gasoline
