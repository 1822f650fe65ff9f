#include "actors/ingest/formats/ci_hooks/ci_hook.hpp"
#include "actors/ingest/formats/ci_hooks/hook_signature.hpp"
#include "actors/ingest/formats/format_table.hpp"

#include <algorithm>
#include <array>

namespace gasoline {
namespace {

constexpr std::string_view circleci_signature_header = "circleci-signature";
constexpr std::array<std::string_view, 1> circleci_headers{circleci_signature_header};

/// `v1=HEX`, several apart by commas.
std::optional<std::string> distrust_circleci(std::string_view body, std::string_view secret,
                                             const ingest_head& head, wall_time) {
  const auto wanted = "v1=" + hmac_sha256_hex(secret, body);
  auto rest = head.header(circleci_signature_header);
  while (!rest.empty()) {
    auto one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (same_signature(one, wanted))
      return std::nullopt;
  }
  return "The header circleci-signature is not the signature of this body with the secret of the "
         "engine's settings; let the webhook have the same secret.";
}

/// The id stands in the body; what is sent again there says the same of the same workflow.
std::string circleci_delivery(const ingest_head&) {
  return {};
}

ci_hook_news read_circleci(const ci_hook_reader& in) {
  const auto type = in.text("/type");
  const bool is_job = type == "job-completed";
  if (!is_job && type != "workflow-completed")
    return left_out("events of this type are not read; workflow-completed and job-completed are");
  auto out = in.result("circleci", in.text(is_job ? "/job/status" : "/workflow/status"));
  if (!is_worth_telling(out.status))
    return left_out("it was cancelled, or has not ended");
  if (is_job && out.status == ci_status::success)
    return left_out("only a job that failed is told before its workflow");
  out.job = in.text("/workflow/name");
  out.url = in.text("/workflow/url");
  out.ref = in.first_text(
      {"/pipeline/vcs/branch", "/pipeline/trigger_parameters/git/branch", "/pipeline/vcs/tag"});
  out.commit =
      in.first_text({"/pipeline/vcs/revision", "/pipeline/trigger_parameters/git/checkout_sha"});
  out.summary = in.text("/pipeline/vcs/commit/subject");
  if (is_job)
    in.add_failed_job(out, in.text("/job/name"), {});
  else
    out.duration_ms = in.duration("/workflow/created_at", "/workflow/stopped_at");
  return {std::move(out), {}};
}

constexpr ci_hook circleci_hook{"circleci", distrust_circleci, circleci_delivery, read_circleci};

} // namespace

/// `POST /ci/circleci`: webhooks of CircleCI: workflow-completed and job-completed.
constinit const ingest_format ci_circleci_format{
    .route = {.format = "ci_circleci",
              .path = "/ci/circleci",
              .body_bytes = &http_room::http_limits::ci_body_bytes,
              .headers = circleci_headers},
    .decode =
        [](std::string& body, const decode_context& context) {
          return decode_ci_hook(circleci_hook, body, context);
        },
    .answer = answer_ci_hook,
    .recorded = {},
    .shed_sentence = {},
    .in_turn = true,
};

} // namespace gasoline
