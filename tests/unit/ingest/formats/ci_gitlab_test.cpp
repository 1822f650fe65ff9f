#include "actors/ingest/formats/ci_hooks/hook_signature.hpp"
#include "tests/unit/support/ci_hooks.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
using namespace test;

namespace {

std::string gitlab_pipeline(std::string_view status, std::string_view builds = {}) {
  return R"({"object_kind":"pipeline","object_attributes":{"id":31,"ref":"main","sha":"abc",
    "status":")" +
         std::string{status} + R"(","duration":63,"created_at":"2016-08-12 15:23:28 UTC"},
    "project":{"web_url":"https://gitlab.example/g/p"},"commit":{"title":"Add carts"},"builds":[)" +
         std::string{builds} + "]}";
}

} // namespace

TEST_CASE("GitLab: a pipeline with the jobs that failed for good") {
  const auto r = told_by("ci_gitlab", gitlab_pipeline("failed", R"(
    {"id":1,"stage":"test","name":"unit","status":"failed","failure_reason":"script_failure"},
    {"id":2,"stage":"test","name":"flaky","status":"failed","failure_reason":"script_failure"},
    {"id":5,"stage":"test","name":"flaky","status":"success"},
    {"id":3,"stage":"lint","name":"style","status":"failed","allow_failure":true},
    {"id":4,"stage":"build","name":"build","status":"success"})"));
  CHECK(r.status == ci_status::failure);
  CHECK(r.source == "gitlab-ci");
  CHECK(r.url == "https://gitlab.example/g/p/-/pipelines/31");
  CHECK(r.duration_ms == 63'000);
  REQUIRE(r.failures.size() == 1);
  CHECK(r.failures[0].name == "unit");
  CHECK(r.failures[0].message == "script_failure, stage test");
}

TEST_CASE("GitLab: a failed job is a part of its pipeline, unless it may fail") {
  const auto job = [](bool allowed, std::string_view status) {
    return R"({"object_kind":"build","ref":"main","sha":"abc","build_name":"unit","build_status":")" +
           std::string{status} + R"(","build_allow_failure":)" + (allowed ? "true" : "false") +
           R"(,"build_failure_reason":"script_failure","pipeline_id":31,
           "repository":{"homepage":"https://gitlab.example/g/p"}})";
  };
  const auto r = told_by("ci_gitlab", job(false, "failed"));
  CHECK(r.is_part);
  CHECK(r.url == "https://gitlab.example/g/p/-/pipelines/31");
  CHECK(ignored_by("ci_gitlab", job(true, "failed")) == "the job may fail");
  CHECK_FALSE(ignored_by("ci_gitlab", job(false, "success")).empty());
  CHECK_FALSE(ignored_by("ci_gitlab", gitlab_pipeline("running")).empty());
  CHECK_FALSE(ignored_by("ci_gitlab", gitlab_pipeline("canceled")).empty());
  CHECK_FALSE(ignored_by("ci_gitlab", R"({"object_kind":"push"})").empty());
}

TEST_CASE("GitLab: token, and the signature of Standard Webhooks") {
  auto decoder = decoder_with({{"gitlab", "s3cret"}});
  const auto body = gitlab_pipeline("failed");
  const auto status_with = [&](hook_headers headers) {
    const auto out = deliver(decoder, "ci_gitlab", body, std::move(headers));
    REQUIRE(out);
    return out->refused;
  };
  CHECK(status_with({{"X-Gitlab-Token", "s3cret"}}) == 0);
  CHECK(status_with({{"X-Gitlab-Token", "other"}}) == 401);
  CHECK(status_with({}) == 401);
  const std::string now = "1769610600";
  const auto signature = "v1," + hmac_sha256_base64("s3cret", "id1." + now + "." + body);
  const auto signed_at = [&](const std::string& at, const std::string& list) {
    return status_with(
        {{"webhook-id", "id1"}, {"webhook-timestamp", at}, {"webhook-signature", list}});
  };
  CHECK(signed_at(now, signature) == 0);
  CHECK(signed_at(now, "v1,AAAA " + signature) == 0);
  CHECK(signed_at(now, "v1,AAAA") == 401);
  CHECK(signed_at("1769610000", signature) == 401);
  CHECK(signed_at("soon", signature) == 401);
  // An old copy, signed for its own time.
  const auto old = "v1," + hmac_sha256_base64("s3cret", "id1.1769610000." + body);
  CHECK(signed_at("1769610000", old) == 401);
}

} // namespace gasoline
