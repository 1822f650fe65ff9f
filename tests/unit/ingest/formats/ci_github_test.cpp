#include "tests/unit/support/ci_hooks.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gasoline {
using namespace test;

namespace {

std::string github_run(std::string_view conclusion, int attempt = 1) {
  return R"({"action":"completed","workflow_run":{"id":7,"name":"CI","head_branch":"main",
    "head_sha":"abc","conclusion":")" +
         std::string{conclusion} + R"(","run_attempt":)" + std::to_string(attempt) +
         R"(,"display_title":"Add carts","html_url":"https://github.com/o/r/actions/runs/7",
    "run_started_at":"2026-01-28T14:00:00Z","updated_at":"2026-01-28T14:02:00Z"},
    "repository":{"html_url":"https://github.com/o/r"}})";
}

constexpr std::string_view failed_github_job = R"({"action":"completed","workflow_job":{"run_id":7,
  "workflow_name":"CI","head_branch":"main","head_sha":"abc","conclusion":"failure",
  "run_attempt":1,"name":"linters","steps":[{"name":"Checkout","conclusion":"success"},
  {"name":"Run lint","conclusion":"failure"}]},"repository":{"html_url":"https://github.com/o/r"}})";

hook_headers github_event(std::string name, std::string delivery = {}) {
  hook_headers out{{"X-GitHub-Event", std::move(name)}};
  if (!delivery.empty())
    out.emplace_back("X-GitHub-Delivery", std::move(delivery));
  return out;
}

} // namespace

TEST_CASE("GitHub: a run that ended") {
  const auto r = told_by("ci_github", github_run("timed_out", 2), github_event("workflow_run"));
  CHECK(r.status == ci_status::failure);
  CHECK(r.word == "timed_out");
  CHECK(r.source == "github-actions");
  CHECK(r.job == "CI");
  CHECK(r.ref == "main");
  CHECK(r.commit == "abc");
  CHECK(r.attempt == 2);
  CHECK(r.summary == "Add carts");
  CHECK(r.duration_ms == 120'000);
  CHECK_FALSE(r.is_part);
}

TEST_CASE("GitHub: a failed job is a part of its run and names the step") {
  const auto r = told_by("ci_github", std::string{failed_github_job}, github_event("workflow_job"));
  CHECK(r.is_part);
  CHECK(r.job == "CI");
  CHECK(r.url == "https://github.com/o/r/actions/runs/7");
  REQUIRE(r.failures.size() == 1);
  CHECK(r.failures[0].name == "linters");
  CHECK(r.failures[0].message == "step Run lint");
}

TEST_CASE("GitHub: what is no news is answered and left out") {
  for (const auto* word : {"cancelled", "skipped", "neutral", "stale", "action_required"})
    CHECK(
        ignored_by("ci_github", github_run(word), github_event("workflow_run")).find("cancelled") !=
        std::string::npos);
  CHECK(ignored_by("ci_github", R"({"zen":"Keep it simple.","hook_id":1})", github_event("ping")) ==
        "ping");
  CHECK(ignored_by("ci_github", R"({"action":"requested","workflow_run":{}})",
                   github_event("workflow_run")) == "it has not ended");
  CHECK(
      ignored_by("ci_github", R"({"action":"opened"})", github_event("issues")).find("not read") !=
      std::string::npos);
  CHECK(ignored_by("ci_github",
                   R"({"action":"completed","check_run":{"app":{"slug":"github-actions"},
                       "conclusion":"failure"}})",
                   github_event("check_run")) == "the workflow's run tells of it");
}

TEST_CASE("GitHub: checks of other apps and statuses") {
  const auto check = told_by("ci_github",
                             R"({"action":"completed","check_run":{"name":"coverage",
      "head_sha":"abc","conclusion":"failure","details_url":"https://cov.example/1",
      "output":{"title":"Coverage fell","summary":"80 % -> 70 %"},
      "check_suite":{"head_branch":"main"},"app":{"slug":"codecov","name":"Codecov"}}})",
                             github_event("check_run"));
  CHECK(check.source == "codecov");
  CHECK(check.ref == "main");
  CHECK(check.summary == "Coverage fell");
  CHECK(check.failures[0].name == "coverage");
  const auto status = told_by("ci_github",
                              R"({"state":"error","context":"ci/other","sha":"abc",
      "description":"broke","target_url":"https://x","branches":[{"name":"main"}]})",
                              github_event("status"));
  CHECK(status.status == ci_status::error);
  CHECK(status.job == "ci/other");
  CHECK(status.ref == "main");
  CHECK(ignored_by("ci_github", R"({"state":"pending"})", github_event("status")) ==
        "the status is pending");
}

TEST_CASE("GitHub: the form that its page offers by default") {
  auto decoder = make_decoder();
  std::string form = "payload=";
  for (const char c : github_run("failure")) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    form +=
        c == ' ' ? std::string{"+"} : std::string{"%"} + digits[byte >> 4U] + digits[byte & 0xFU];
  }
  const auto out = deliver(decoder, "ci_github", form, github_event("workflow_run"),
                           "application/x-www-form-urlencoded");
  REQUIRE(out);
  CHECK(out->events.size() == 1);
  CHECK_FALSE(deliver(decoder, "ci_github", "a=b", github_event("workflow_run"),
                      "application/x-www-form-urlencoded"));
}

TEST_CASE("GitHub: a delivery that comes again is answered and ignored") {
  auto decoder = make_decoder();
  const auto first =
      deliver(decoder, "ci_github", github_run("failure"), github_event("workflow_run", "d1"));
  CHECK(first->events.size() == 1);
  const auto again =
      deliver(decoder, "ci_github", github_run("failure"), github_event("workflow_run", "d1"));
  REQUIRE(again);
  CHECK(again->events.empty());
  CHECK(find_format("ci_github")->answer(*again, {}).body ==
        R"({"ok":true,"ignored":"this delivery came before"})");
  CHECK(deliver(decoder, "ci_github", github_run("failure"), github_event("workflow_run", "d2"))
            ->events.size() == 1);
}

TEST_CASE("GitHub: the signature is over the bytes as they came") {
  auto decoder = decoder_with({{"github", "It's a Secret to Everybody"}});
  const auto signed_with = [&](const std::string& signature) {
    return deliver(decoder, "ci_github", "Hello, World!",
                   {{"X-GitHub-Event", "ping"}, {"X-Hub-Signature-256", signature}});
  };
  // The example of GitHub's own documentation; these bytes are believed, and are no JSON.
  const auto good =
      signed_with("sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17");
  CHECK_FALSE(good);
  for (const auto* signature :
       {"", "sha256=", "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
        "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e18"}) {
    const auto bad = signed_with(signature);
    REQUIRE(bad);
    CHECK(bad->refused == 401);
    CHECK(bad->remark.find("X-Hub-Signature-256") != std::string::npos);
  }
}

TEST_CASE("GitHub: members may be anything") {
  for (const auto* body :
       {"{}", R"({"action":"completed"})", R"({"action":"completed","workflow_run":[]})",
        R"({"action":"completed","workflow_run":{"conclusion":{}}})",
        R"({"action":"completed","workflow_run":{"conclusion":5,"name":[],"run_attempt":1e99}})"})
    for (const auto* name : {"workflow_run", "workflow_job", "check_run", "check_suite", "status"})
      CHECK_FALSE(ignored_by("ci_github", body, github_event(name)).empty());
  CHECK(refused_as("ci_github", "[]").find("webhook") != std::string::npos);
}

} // namespace gasoline
