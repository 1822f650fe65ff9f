#include "actors/ingest/formats/ci_hooks/ci_hook.hpp"
#include "actors/ingest/formats/ci_hooks/hook_signature.hpp"
#include "actors/ingest/formats/format_table.hpp"

#include <algorithm>
#include <array>

namespace gasoline {
namespace {

constexpr std::string_view buildkite_event_header = "X-Buildkite-Event";
constexpr std::string_view buildkite_token_header = "X-Buildkite-Token";
constexpr std::string_view buildkite_signature_header = "X-Buildkite-Signature";
constexpr std::array<std::string_view, 3> buildkite_headers{
    buildkite_event_header, buildkite_token_header, buildkite_signature_header};

/// The value of `NAME=VALUE` in a list that commas set apart.
std::string_view buildkite_part_named(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    auto one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(one.size() + 1, list.size()));
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (one.starts_with(name) && one.substr(name.size()).starts_with("="))
      return one.substr(name.size() + 1);
  }
  return {};
}

std::optional<std::string> distrust_buildkite(std::string_view body, std::string_view secret,
                                              const ingest_head& head, wall_time) {
  if (const auto signature = head.header(buildkite_signature_header); !signature.empty()) {
    std::string message{buildkite_part_named(signature, "timestamp")};
    message.append(".").append(body);
    if (same_signature(buildkite_part_named(signature, "signature"),
                       hmac_sha256_hex(secret, message)))
      return std::nullopt;
    return "The header X-Buildkite-Signature is not the signature of this body with the secret of "
           "the engine's settings.";
  }
  if (same_signature(head.header(buildkite_token_header), secret))
    return std::nullopt;
  return "The header X-Buildkite-Token is not the secret of the engine's settings; let the "
         "notification service have the same token.";
}

std::string buildkite_delivery(const ingest_head&) {
  return {};
}

void buildkite_take_build(const ci_hook_reader& in, raw_ci_result& out) {
  out.job = in.first_text({"/pipeline/slug", "/pipeline/name"});
  out.ref = in.text("/build/branch");
  out.commit = in.text("/build/commit");
  out.url = in.text("/build/web_url");
  out.summary = in.text("/build/message");
  const auto number = in.number("/build/number").value_or(0);
  if (number >= 1 && number <= 4e9)
    out.attempt = static_cast<std::uint32_t>(number);
}

ci_hook_news read_finished_build(const ci_hook_reader& in) {
  if (in.flag("/build/blocked"))
    return left_out("the build waits for somebody");
  auto out = in.result("buildkite", in.text("/build/state"));
  if (!is_worth_telling(out.status))
    return left_out("the build has not ended, or was cancelled or skipped");
  buildkite_take_build(in, out);
  out.duration_ms = in.duration("/build/started_at", "/build/finished_at");
  return {std::move(out), {}};
}

ci_hook_news read_finished_job(const ci_hook_reader& in) {
  const auto code = in.text("/job/exit_status");
  // Some say that it has ended, and how by its exit status alone.
  auto state = in.text("/job/state");
  if (state == "finished" && !code.empty())
    state = code == "0" ? "passed" : "failed";
  auto out = in.result("buildkite", state);
  if (!is_worth_telling(out.status) || out.status == ci_status::success)
    return left_out("only a job that failed is told before its build");
  if (in.flag("/job/soft_failed"))
    return left_out("the job may fail");
  if (in.flag("/job/retried"))
    return left_out("the job is tried again");
  buildkite_take_build(in, out);
  in.add_failed_job(out, in.first_text({"/job/name", "/job/step_key", "/job/command"}),
                    code.empty() ? std::string{} : "exit status " + code);
  return {std::move(out), {}};
}

ci_hook_news read_buildkite(const ci_hook_reader& in) {
  auto event = std::string{in.head().header(buildkite_event_header)};
  if (event.empty())
    event = in.text("/event");
  if (event == "build.finished")
    return read_finished_build(in);
  if (event == "job.finished")
    return read_finished_job(in);
  return left_out(event == "ping" ? "ping"
                                  : "events of this name are not read; build.finished and "
                                    "job.finished are");
}

constexpr ci_hook buildkite_hook{"buildkite", distrust_buildkite, buildkite_delivery,
                                 read_buildkite};

} // namespace

/// `POST /ci/buildkite`: webhooks of Buildkite: build.finished and job.finished.
constinit const ingest_format ci_buildkite_format{
    .route = {.format = "ci_buildkite",
              .path = "/ci/buildkite",
              .body_bytes = &http_room::http_limits::ci_body_bytes,
              .headers = buildkite_headers},
    .decode =
        [](std::string& body, const decode_context& context) {
          return decode_ci_hook(buildkite_hook, body, context);
        },
    .answer = answer_ci_hook,
    .recorded = {},
    .shed_sentence = {},
    .in_turn = true,
};

} // namespace gasoline
