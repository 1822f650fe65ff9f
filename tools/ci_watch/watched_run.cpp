#include "tools/ci_watch/watched_run.hpp"

#include "messages/base/json/json_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace gasoline {
namespace {

using nlohmann::json;

tl::unexpected<user_error> unreadable(std::string_view program) {
  return tl::unexpected(user_error{"what " + std::string{program} +
                                   " printed is no JSON of the kind that its manual describes"});
}

/// A member as text; numbers as their digits.
std::string text_member(const json& object, const char* name) {
  if (!object.is_object())
    return {};
  const auto found = object.find(name);
  if (found == object.end())
    return {};
  if (found->is_string())
    return found->get<std::string>();
  return found->is_number_integer() ? found->dump() : std::string{};
}

json parsed(std::string_view text) {
  constexpr std::size_t most_levels = 64;
  if (json_nesting(text) > most_levels)
    return json::value_t::discarded;
  return json::parse(text, nullptr, false);
}

bool has_word(const std::string& word, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* one) { return word == one; });
}

} // namespace

result_or<std::vector<watched_run>> read_gh_runs(std::string_view text) {
  const auto list = parsed(text);
  if (!list.is_array())
    return unreadable("gh run list");
  std::vector<watched_run> out;
  for (const auto& run : list) {
    auto& r = out.emplace_back();
    r.id = text_member(run, "databaseId");
    r.workflow = text_member(run, "workflowName");
    r.title = text_member(run, "displayTitle");
    r.ref = text_member(run, "headBranch");
    r.commit = text_member(run, "headSha");
    r.url = text_member(run, "url");
    if (text_member(run, "status") == "completed")
      r.result = text_member(run, "conclusion");
    r.begun = text_member(run, "startedAt");
    r.ended = text_member(run, "updatedAt");
  }
  return out;
}

result_or<std::vector<failed_job>> read_gh_jobs(std::string_view text) {
  const auto root = parsed(text);
  if (!root.is_object() || !root.contains("jobs") || !root["jobs"].is_array())
    return unreadable("gh run view");
  std::vector<failed_job> out;
  for (const auto& job : root["jobs"]) {
    if (!has_word(text_member(job, "conclusion"), {"failure", "timed_out", "startup_failure"}))
      continue;
    auto& failed = out.emplace_back();
    failed.name = text_member(job, "name");
    if (!job.contains("steps") || !job["steps"].is_array())
      continue;
    for (const auto& step : job["steps"])
      if (failed.step.empty() && text_member(step, "conclusion") == "failure")
        failed.step = text_member(step, "name");
  }
  return out;
}

result_or<std::vector<watched_run>> read_glab_runs(std::string_view text) {
  const auto list = parsed(text);
  // An empty list is printed as a word by some versions.
  if (list.is_null())
    return std::vector<watched_run>{};
  if (!list.is_array())
    return unreadable("glab ci list");
  std::vector<watched_run> out;
  for (const auto& run : list) {
    auto& r = out.emplace_back();
    r.id = text_member(run, "id");
    r.title = text_member(run, "name");
    r.ref = text_member(run, "ref");
    r.commit = text_member(run, "sha");
    r.url = text_member(run, "web_url");
    const auto status = text_member(run, "status");
    if (has_word(status, {"success", "failed", "canceled", "skipped"}))
      r.result = status;
    r.begun = text_member(run, "created_at");
    r.ended = text_member(run, "updated_at");
  }
  return out;
}

result_or<std::vector<failed_job>> read_glab_jobs(std::string_view text) {
  const auto root = parsed(text);
  if (!root.is_object() || !root.contains("jobs") || !root["jobs"].is_array())
    return unreadable("glab ci get");
  // A job that was tried again is there more than once; the highest id is its last try.
  std::map<std::string, std::uint64_t> last_try;
  const auto id_of = [](const json& job) {
    return job.is_object() && job.contains("id") && job["id"].is_number_unsigned()
               ? job["id"].get<std::uint64_t>()
               : 0;
  };
  for (const auto& job : root["jobs"]) {
    auto& last = last_try[text_member(job, "name")];
    last = std::max(last, id_of(job));
  }
  std::vector<failed_job> out;
  for (const auto& job : root["jobs"]) {
    const auto name = text_member(job, "name");
    const bool may_fail = job.is_object() && job.contains("allow_failure") &&
                          job["allow_failure"].is_boolean() && job["allow_failure"].get<bool>();
    if (text_member(job, "status") != "failed" || may_fail || id_of(job) < last_try[name])
      continue;
    out.push_back({text_member(job, "id"), name, text_member(job, "stage")});
  }
  return out;
}

} // namespace gasoline
