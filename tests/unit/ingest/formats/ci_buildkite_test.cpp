#include "actors/ingest/formats/ci_hooks/hook_signature.hpp"
#include "tests/unit/support/ci_hooks.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
using namespace test;

namespace {

std::string buildkite_build(std::string_view state, bool blocked = false) {
  return R"({"event":"build.finished","build":{"number":7,"state":")" + std::string{state} +
         R"(","blocked":)" + (blocked ? "true" : "false") +
         R"(,"branch":"main","commit":"abc","message":"Add carts",
    "web_url":"https://buildkite.com/o/p/builds/7","started_at":"2026-01-28T14:00:00Z",
    "finished_at":"2026-01-28T14:01:00Z"},"pipeline":{"slug":"shop"}})";
}

std::string buildkite_job(std::string_view more) {
  return R"({"event":"job.finished","job":{"name":"unit","state":"failed","exit_status":1)" +
         std::string{more} + R"(},"build":{"number":7,"branch":"main","commit":"abc"},
    "pipeline":{"slug":"shop"}})";
}

} // namespace

TEST_CASE("Buildkite: builds and failed jobs") {
  const auto r = told_by("ci_buildkite", buildkite_build("failed"));
  CHECK(r.status == ci_status::failure);
  CHECK(r.job == "shop");
  CHECK(r.attempt == 7);
  CHECK(r.duration_ms == 60'000);
  const auto part = told_by("ci_buildkite", buildkite_job(""));
  CHECK(part.is_part);
  CHECK(part.failures[0].message == "exit status 1");
  CHECK(ignored_by("ci_buildkite", buildkite_job(R"(,"soft_failed":true)")) == "the job may fail");
  CHECK(ignored_by("ci_buildkite", buildkite_job(R"(,"retried":true)")) ==
        "the job is tried again");
  const auto ended = [](const char* code) {
    return R"({"event":"job.finished","job":{"name":"unit","state":"finished","exit_status":)" +
           std::string{code} + R"(},"build":{"number":7,"branch":"main"},"pipeline":{}})";
  };
  CHECK(told_by("ci_buildkite", ended("1")).status == ci_status::failure);
  CHECK(ignored_by("ci_buildkite", ended("0")) ==
        "only a job that failed is told before its build");
  CHECK(ignored_by("ci_buildkite", buildkite_build("passed", true)) ==
        "the build waits for somebody");
  CHECK(ignored_by("ci_buildkite", R"({"event":"ping"})") == "ping");
}

TEST_CASE("Buildkite: token or signature") {
  auto decoder = decoder_with({{"buildkite", "s"}});
  const auto body = buildkite_build("failed");
  const auto status_with = [&](hook_headers headers) {
    return deliver(decoder, "ci_buildkite", body, std::move(headers))->refused;
  };
  CHECK(status_with({{"X-Buildkite-Token", "s"}}) == 0);
  CHECK(status_with({{"X-Buildkite-Token", "t"}}) == 401);
  const auto good = hmac_sha256_hex("s", "1769610600." + body);
  CHECK(status_with({{"X-Buildkite-Signature", "timestamp=1769610600,signature=" + good}}) == 0);
  CHECK(status_with({{"X-Buildkite-Signature", "timestamp=1769610601,signature=" + good}}) == 401);
}

} // namespace gasoline
