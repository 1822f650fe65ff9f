#include "actors/ingest/formats/ci_hooks/ci_word.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace gasoline {
namespace {

// As GitHub, GitLab, Jenkins, CircleCI, Azure, Buildkite, Drone, Travis, Bitbucket and TeamCity
// write them, squeezed.
constexpr std::pair<std::string_view, ci_status> ci_words[] = {
    {"success", ci_status::success},
    {"succeeded", ci_status::success},
    {"successful", ci_status::success},
    {"passed", ci_status::success},
    {"pass", ci_status::success},
    {"ok", ci_status::success},
    {"fixed", ci_status::success},
    {"green", ci_status::success},
    {"failure", ci_status::failure},
    {"failed", ci_status::failure},
    {"fail", ci_status::failure},
    {"failing", ci_status::failure},
    {"stillfailing", ci_status::failure},
    {"broken", ci_status::failure},
    {"red", ci_status::failure},
    {"timedout", ci_status::failure},
    {"timeout", ci_status::failure},
    {"startupfailure", ci_status::failure},
    {"scriptfailure", ci_status::failure},
    {"buildfailed", ci_status::failure},
    {"error", ci_status::error},
    {"errored", ci_status::error},
    {"internalerror", ci_status::error},
    {"systemfailure", ci_status::error},
    {"runnersystemfailure", ci_status::error},
    {"infrastructurefailure", ci_status::error},
    {"infrastructurefail", ci_status::error},
    {"unauthorized", ci_status::error},
    {"unstable", ci_status::unstable},
    {"partiallysucceeded", ci_status::unstable},
    {"succeededwithissues", ci_status::unstable},
    {"passedwithwarnings", ci_status::unstable},
    {"successwithwarnings", ci_status::unstable},
    {"warning", ci_status::unstable},
    {"cancelled", ci_status::cancelled},
    {"canceled", ci_status::cancelled},
    {"cancelling", ci_status::cancelled},
    {"canceling", ci_status::cancelled},
    {"aborted", ci_status::cancelled},
    {"stopped", ci_status::cancelled},
    {"interrupted", ci_status::cancelled},
    {"killed", ci_status::cancelled},
    {"terminated", ci_status::cancelled},
    {"superseded", ci_status::cancelled},
    {"actionrequired", ci_status::cancelled},
    {"declined", ci_status::cancelled},
    {"skipped", ci_status::skipped},
    {"skip", ci_status::skipped},
    {"neutral", ci_status::skipped},
    {"stale", ci_status::skipped},
    {"notbuilt", ci_status::skipped},
    {"notrun", ci_status::skipped},
    {"ignored", ci_status::skipped},
    {"none", ci_status::skipped},
    {"running", ci_status::running},
    {"pending", ci_status::running},
    {"manual", ci_status::running},
    {"created", ci_status::running},
    {"queued", ci_status::running},
    {"waiting", ci_status::running},
    {"requested", ci_status::running},
    {"inprogress", ci_status::running},
    {"started", ci_status::running},
    {"building", ci_status::running},
    {"scheduled", ci_status::running},
    {"preparing", ci_status::running},
    {"initializing", ci_status::running},
    {"processing", ci_status::running},
    {"expected", ci_status::running},
    {"blocked", ci_status::running},
    {"paused", ci_status::running},
    {"onhold", ci_status::running},
    {"hold", ci_status::running},
    {"assigned", ci_status::running},
    {"waitingforresource", ci_status::running},
    {"waitingforcallback", ci_status::running},
};

std::string squeezed(std::string_view word) {
  std::string out;
  for (const char c : word)
    if (c >= 'A' && c <= 'Z')
      out += static_cast<char>(c - 'A' + 'a');
    else if (c != ' ' && c != '-' && c != '_' && c != '\t')
      out += c;
  return out;
}

bool has_letter(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (static_cast<unsigned char>(c) & 0x80U) != 0;
  });
}

} // namespace

std::optional<ci_status> ci_status_of(std::string_view word) {
  const auto plain = squeezed(word);
  if (!has_letter(plain))
    return std::nullopt;
  for (const auto& [known, status] : ci_words)
    if (known == plain)
      return status;
  return ci_status::unknown;
}

} // namespace gasoline
