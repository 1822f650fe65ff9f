#include "actors/ingest/formats/ci_hooks/ci_hook.hpp"
#include "actors/ingest/formats/ci_hooks/hook_signature.hpp"
#include "actors/ingest/formats/format_table.hpp"

#include <array>

namespace gasoline {
namespace {

constexpr std::string_view github_event_header = "X-GitHub-Event";
constexpr std::string_view github_delivery_header = "X-GitHub-Delivery";
constexpr std::string_view github_signature_header = "X-Hub-Signature-256";
constexpr std::array<std::string_view, 3> github_headers{
    github_event_header, github_delivery_header, github_signature_header};
constexpr std::array<std::string_view, 1> github_types{"application/x-www-form-urlencoded"};
constexpr std::string_view actions_app = "github-actions";

std::optional<std::string> distrust_github(std::string_view body, std::string_view secret,
                                           const ingest_head& head, wall_time) {
  if (same_signature(head.header(github_signature_header),
                     "sha256=" + hmac_sha256_hex(secret, body)))
    return std::nullopt;
  return "The header X-Hub-Signature-256 is not the signature of this body with the secret of the "
         "engine's settings; let the webhook have the same secret.";
}

std::string github_delivery(const ingest_head& head) {
  return std::string{head.header(github_delivery_header)};
}

std::uint32_t github_attempt_in(const ci_hook_reader& in, std::string_view pointer) {
  constexpr double most = 1e6;
  const auto attempt = in.number(pointer);
  return attempt && *attempt >= 1 && *attempt <= most ? static_cast<std::uint32_t>(*attempt) : 0;
}

/// Jobs, runs and checks of one push are one story, whichever of them is told.
std::string github_run_address(const ci_hook_reader& in, std::string_view run_id) {
  const auto repository = in.text("/repository/html_url");
  const auto id = in.text(run_id);
  return repository.empty() || id.empty() ? std::string{} : repository + "/actions/runs/" + id;
}

ci_hook_news read_workflow_run(const ci_hook_reader& in) {
  auto out = in.result(actions_app, in.text("/workflow_run/conclusion"));
  if (!is_worth_telling(out.status))
    return left_out("the run has not ended, or was cancelled or skipped");
  out.job = in.first_text({"/workflow_run/name", "/workflow/name"});
  out.ref = in.text("/workflow_run/head_branch");
  out.commit = in.text("/workflow_run/head_sha");
  out.url = in.text("/workflow_run/html_url");
  out.summary = in.first_text({"/workflow_run/display_title", "/workflow_run/head_commit/message"});
  out.attempt = github_attempt_in(in, "/workflow_run/run_attempt");
  out.duration_ms = in.duration("/workflow_run/run_started_at", "/workflow_run/updated_at");
  return {std::move(out), {}};
}

/// A job that fails is told at once, as its run's; the run then says no more than that.
ci_hook_news read_workflow_job(const ci_hook_reader& in) {
  auto out = in.result(actions_app, in.text("/workflow_job/conclusion"));
  if (!is_worth_telling(out.status) || out.status == ci_status::success)
    return left_out("only a job that failed is told before its run");
  out.job = in.text("/workflow_job/workflow_name");
  out.ref = in.text("/workflow_job/head_branch");
  out.commit = in.text("/workflow_job/head_sha");
  out.url = github_run_address(in, "/workflow_job/run_id");
  out.attempt = github_attempt_in(in, "/workflow_job/run_attempt");
  std::string steps;
  for (const auto& step : in.list("/workflow_job/steps"))
    if (step.text("/conclusion") == "failure")
      steps += (steps.empty() ? "step " : ", ") + step.text("/name");
  in.add_failed_job(out, in.text("/workflow_job/name"), std::move(steps));
  return {std::move(out), {}};
}

ci_hook_news read_check(const ci_hook_reader& in, const std::string& check) {
  const auto app = in.text("/" + check + "/app/slug");
  if (app == actions_app)
    return left_out("the workflow's run tells of it");
  auto out = in.result(app.empty() ? "github" : app, in.text("/" + check + "/conclusion"));
  if (!is_worth_telling(out.status))
    return left_out("the check has not ended, or was cancelled or skipped");
  out.job = in.first_text({"/" + check + "/app/name"});
  out.commit = in.text("/" + check + "/head_sha");
  out.ref = in.first_text({"/" + check + "/head_branch", "/" + check + "/check_suite/head_branch"});
  out.url = in.first_text({"/" + check + "/details_url", "/" + check + "/html_url"});
  if (check == "check_suite" || out.status == ci_status::success)
    return {std::move(out), {}};
  out.summary = in.text("/check_run/output/title");
  in.add_failed_job(out, in.text("/check_run/name"), in.text("/check_run/output/summary"));
  return {std::move(out), {}};
}

ci_hook_news read_status(const ci_hook_reader& in) {
  const auto context = in.text("/context");
  auto out = in.result("github", in.text("/state"));
  if (!is_worth_telling(out.status))
    return left_out("the status is pending");
  out.job = context;
  out.commit = in.text("/sha");
  out.ref = in.text("/branches/0/name");
  out.url = in.text("/target_url");
  out.summary = in.text("/description");
  return {std::move(out), {}};
}

ci_hook_news read_github(const ci_hook_reader& in) {
  const auto event = in.head().header(github_event_header);
  if (event == "ping")
    return left_out("ping");
  if (event == "status")
    return read_status(in);
  const bool known = event == "workflow_run" || event == "workflow_job" || event == "check_run" ||
                     event == "check_suite";
  if (!known)
    return left_out("events of this name are not read; workflow_run, workflow_job, check_run, "
                    "check_suite and status are");
  if (in.text("/action") != "completed")
    return left_out("it has not ended");
  if (event == "workflow_run")
    return read_workflow_run(in);
  if (event == "workflow_job")
    return read_workflow_job(in);
  return read_check(in, std::string{event});
}

constexpr ci_hook github_hook{"github", distrust_github, github_delivery, read_github};

} // namespace

/// `POST /ci/github`: webhooks of GitHub: workflow_run, workflow_job, check_run, check_suite,
/// status, ping.
constinit const ingest_format ci_github_format{
    .route = {.format = "ci_github",
              .path = "/ci/github",
              .body_bytes = &http_room::http_limits::ci_body_bytes,
              .more_types = github_types,
              .headers = github_headers},
    .decode =
        [](std::string& body, const decode_context& context) {
          return decode_ci_hook(github_hook, body, context);
        },
    .answer = answer_ci_hook,
    .recorded = {},
    .shed_sentence = {},
    .in_turn = true,
};

} // namespace gasoline
