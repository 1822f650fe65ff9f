#include "actors/ingest/formats/ci_hooks/ci_hook.hpp"
#include "actors/ingest/formats/ci_hooks/hook_signature.hpp"
#include "actors/ingest/formats/format_table.hpp"

#include <array>

namespace gasoline {
namespace {

constexpr std::string_view jenkins_token_header = "X-Jenkins-Token";
constexpr std::array<std::string_view, 1> jenkins_headers{jenkins_token_header};

/// The plugin does not sign; a header can be added by whatever stands before it.
std::optional<std::string> distrust_jenkins(std::string_view, std::string_view secret,
                                            const ingest_head& head, wall_time) {
  if (same_signature(head.header(jenkins_token_header), secret))
    return std::nullopt;
  return "The header X-Jenkins-Token is not the secret of the engine's settings. The notification "
         "plugin sends none; take the secret out of the settings, or add the header on the way.";
}

std::string jenkins_delivery(const ingest_head&) {
  return {};
}

std::string jenkins_without_remote(std::string branch) {
  for (const std::string_view start : {"refs/heads/", "remotes/origin/", "origin/"})
    if (branch.starts_with(start))
      branch.erase(0, start.size());
  return branch;
}

void add_failed_tests(const ci_hook_reader& in, raw_ci_result& out) {
  for (const auto& test : in.list("/build/testSummary/failedTests")) {
    auto name = test.text("");
    if (name.empty())
      name = test.first_text({"/name", "/fullName"});
    in.add_failure(out, std::move(name), test.first_text({"/message", "/errorDetails"}));
  }
  const auto failed = in.number("/build/testSummary/failed").value_or(0);
  const auto total = in.text("/build/testSummary/total");
  if (failed <= 0 || failed > 1e9)
    return;
  out.failure_count = std::max(out.failure_count, static_cast<std::uint64_t>(failed));
  out.summary = in.text("/build/testSummary/failed") + " of " + total + " tests failed";
}

ci_hook_news read_jenkins(const ci_hook_reader& in) {
  const auto phase = in.text("/build/phase");
  // The result stands before what follows the build has run, and again after it.
  if (phase != "COMPLETED" && phase != "FINALIZED" && phase != "FINISHED")
    return left_out("the build has not ended");
  auto out = in.result("jenkins", in.text("/build/status"));
  if (!is_worth_telling(out.status))
    return left_out("the build was aborted or not built");
  out.job = in.first_text({"/name", "/display_name"});
  out.ref = jenkins_without_remote(in.text("/build/scm/branch"));
  out.commit = in.text("/build/scm/commit");
  out.url = in.first_text({"/build/full_url", "/build/url"});
  // Builds of a job are numbered, so a higher one is a later try.
  const auto number = in.number("/build/number").value_or(0);
  if (number >= 1 && number <= 4e9)
    out.attempt = static_cast<std::uint32_t>(number);
  const auto duration = in.number("/build/duration").value_or(0);
  if (duration > 0)
    out.duration_ms = duration;
  add_failed_tests(in, out);
  return {std::move(out), {}};
}

constexpr ci_hook jenkins_hook{"jenkins", distrust_jenkins, jenkins_delivery, read_jenkins};

} // namespace

/// `POST /ci/jenkins`: webhooks of Jenkins: the notification plugin.
constinit const ingest_format ci_jenkins_format{
    .route = {.format = "ci_jenkins",
              .path = "/ci/jenkins",
              .body_bytes = &http_room::http_limits::ci_body_bytes,
              .headers = jenkins_headers},
    .decode =
        [](std::string& body, const decode_context& context) {
          return decode_ci_hook(jenkins_hook, body, context);
        },
    .answer = answer_ci_hook,
    .recorded = {},
    .shed_sentence = {},
    .in_turn = true,
};

} // namespace gasoline
