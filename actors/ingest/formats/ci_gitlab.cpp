#include "actors/ingest/formats/ci_hooks/ci_hook.hpp"
#include "actors/ingest/formats/ci_hooks/hook_signature.hpp"
#include "actors/ingest/formats/format_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <map>

namespace gasoline {
namespace {

constexpr std::string_view gitlab_token_header = "X-Gitlab-Token";
constexpr std::string_view gitlab_uuid_header = "X-Gitlab-Event-UUID";
constexpr std::string_view gitlab_id_header = "webhook-id";
constexpr std::string_view gitlab_time_header = "webhook-timestamp";
constexpr std::string_view gitlab_signed_header = "webhook-signature";
constexpr std::array<std::string_view, 5> gitlab_headers{gitlab_token_header, gitlab_uuid_header,
                                                         gitlab_id_header, gitlab_time_header,
                                                         gitlab_signed_header};

/// Standard Webhooks: what is older may be a copy.
constexpr std::chrono::minutes gitlab_signature_window{5};

bool gitlab_is_recent(std::string_view seconds, wall_time now) {
  std::int64_t at = 0;
  const auto [end, error] = std::from_chars(seconds.data(), seconds.data() + seconds.size(), at);
  constexpr std::int64_t most = 1LL << 40;
  if (error != std::errc{} || end != seconds.data() + seconds.size() || at < 0 || at > most)
    return false;
  const wall_time told{std::chrono::seconds{at}};
  return (told > now ? told - now : now - told) <= gitlab_signature_window;
}

/// One of several signatures, apart by blanks: secrets are changed by having two for a while.
bool has_standard_signature(std::string_view body, std::string_view secret,
                            const ingest_head& head) {
  constexpr std::string_view mark = "whsec_";
  const auto key =
      secret.starts_with(mark) ? base64_bytes(secret.substr(mark.size())) : std::string{secret};
  if (key.empty()) // is no base64; who signs with nothing would be believed
    return false;
  std::string message{head.header(gitlab_id_header)};
  message.append(".").append(head.header(gitlab_time_header)).append(".").append(body);
  const auto wanted = "v1," + hmac_sha256_base64(key, message);
  auto rest = head.header(gitlab_signed_header);
  while (!rest.empty()) {
    const auto one = rest.substr(0, rest.find(' '));
    if (same_signature(one, wanted))
      return true;
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  return false;
}

std::optional<std::string> distrust_gitlab(std::string_view body, std::string_view secret,
                                           const ingest_head& head, wall_time now) {
  if (!head.header(gitlab_signed_header).empty()) {
    if (gitlab_is_recent(head.header(gitlab_time_header), now) &&
        has_standard_signature(body, secret, head))
      return std::nullopt;
    return "The header webhook-signature is not the signature of this body with the secret of the "
           "engine's settings, or is more than 5 minutes old.";
  }
  if (same_signature(head.header(gitlab_token_header), secret))
    return std::nullopt;
  return "The header X-Gitlab-Token is not the secret of the engine's settings; let the webhook "
         "have the same secret token.";
}

std::string gitlab_delivery(const ingest_head& head) {
  return std::string{
      head.header(head.header(gitlab_id_header).empty() ? gitlab_uuid_header : gitlab_id_header)};
}

std::string gitlab_pipeline_address(const ci_hook_reader& in, const std::string& id) {
  const auto project = in.first_text({"/project/web_url", "/repository/homepage"});
  return project.empty() || id.empty() ? std::string{} : project + "/-/pipelines/" + id;
}

/// The jobs that failed for good: the last try of each, and none that may fail.
void add_failed_builds(const ci_hook_reader& in, raw_ci_result& out) {
  const auto builds = in.list("/builds");
  std::map<std::string, double> last_try;
  for (const auto& build : builds) {
    auto& last = last_try[build.text("/name")];
    last = std::max(last, build.number("/id").value_or(0));
  }
  for (const auto& build : builds) {
    auto name = build.text("/name");
    const bool superseded = build.number("/id").value_or(0) < last_try[name];
    if (superseded || build.text("/status") != "failed" || build.flag("/allow_failure"))
      continue;
    auto reason = build.text("/failure_reason");
    if (const auto stage = build.text("/stage"); !stage.empty())
      reason += (reason.empty() ? "stage " : ", stage ") + stage;
    in.add_failure(out, std::move(name), std::move(reason));
  }
}

ci_hook_news read_pipeline(const ci_hook_reader& in) {
  auto out = in.result("gitlab-ci", in.text("/object_attributes/status"));
  if (!is_worth_telling(out.status))
    return left_out("the pipeline has not ended, or was cancelled or skipped");
  out.ref = in.text("/object_attributes/ref");
  out.commit = in.text("/object_attributes/sha");
  out.url = gitlab_pipeline_address(in, in.text("/object_attributes/id"));
  out.summary = in.first_text({"/commit/title", "/commit/message"});
  out.duration_ms = in.number("/object_attributes/duration").value_or(-0.001) * 1000;
  if (out.status != ci_status::success)
    add_failed_builds(in, out);
  return {std::move(out), {}};
}

ci_hook_news read_build(const ci_hook_reader& in) {
  auto out = in.result("gitlab-ci", in.text("/build_status"));
  if (!is_worth_telling(out.status) || out.status == ci_status::success)
    return left_out("only a job that failed is told before its pipeline");
  if (in.flag("/build_allow_failure"))
    return left_out("the job may fail");
  out.ref = in.text("/ref");
  out.commit = in.text("/sha");
  out.url = gitlab_pipeline_address(in, in.text("/pipeline_id"));
  in.add_failed_job(out, in.text("/build_name"), in.text("/build_failure_reason"));
  return {std::move(out), {}};
}

ci_hook_news read_gitlab(const ci_hook_reader& in) {
  const auto kind = in.text("/object_kind");
  if (kind == "pipeline")
    return read_pipeline(in);
  if (kind == "build")
    return read_build(in);
  return left_out("events of this kind are not read; pipeline and job events are");
}

constexpr ci_hook gitlab_hook{"gitlab", distrust_gitlab, gitlab_delivery, read_gitlab};

} // namespace

/// `POST /ci/gitlab`: webhooks of GitLab: pipeline and job events.
constinit const ingest_format ci_gitlab_format{
    .route = {.format = "ci_gitlab",
              .path = "/ci/gitlab",
              .body_bytes = &http_room::http_limits::ci_body_bytes,
              .headers = gitlab_headers},
    .decode =
        [](std::string& body, const decode_context& context) {
          return decode_ci_hook(gitlab_hook, body, context);
        },
    .answer = answer_ci_hook,
    .recorded = {},
    .shed_sentence = {},
    .in_turn = true,
};

} // namespace gasoline
