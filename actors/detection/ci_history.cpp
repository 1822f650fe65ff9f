#include "actors/detection/ci_history.hpp"

#include "actors/base/redacted_part.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

const redacted_text& revision(const ci_result& r) {
  return r.commit.empty() ? r.ref : r.commit;
}

bool same_branch(const ci_result& a, const ci_result& b) {
  return a.source == b.source && a.ref == b.ref && a.job == b.job;
}

// What names no run belongs to any.
bool same_run(const ci_result& a, const ci_result& b) {
  if (a.source != b.source || revision(a) != revision(b) || a.job != b.job)
    return false;
  if (!a.job.empty() || a.url.empty() || b.url.empty())
    return true;
  return ci_run_of(a) == ci_run_of(b);
}

bool names(const std::vector<basic_ci_failure<redacted_text>>& failures,
           const redacted_text& name) {
  return std::any_of(failures.begin(), failures.end(),
                     [&](const auto& failure) { return failure.name == name; });
}

// What several reports tell of one run: jobs that failed are told one by one, and the run itself
// often without them.
ci_result_ptr together(const ci_result& known, const ci_result_ptr& later, std::size_t most) {
  const bool adds = later->is_part || later->failures.empty();
  if (known.status != later->status || known.failures.empty() || !adds)
    return later;
  auto out = std::make_shared<ci_result>(known.is_part ? *later : known);
  const auto& base = *out;
  const auto& more = known.is_part ? known : *later;
  for (const auto& failure : more.failures)
    if (!names(base.failures, failure.name)) {
      ++out->failure_count;
      if (out->failures.size() < most)
        out->failures.push_back(failure);
    }
  return out;
}

} // namespace

bool is_failed(ci_status status) {
  return status == ci_status::failure || status == ci_status::error ||
         status == ci_status::unstable;
}

bool is_decided(ci_status status) {
  return status == ci_status::success || is_failed(status);
}

redacted_text ci_run_of(const ci_result& r) {
  if (!r.job.empty())
    return r.job;
  const auto url = r.url.view();
  const auto end = std::min({url.find("/attempts/"), url.find_first_of("?#"), url.size()});
  return part_of(r.url, url.substr(0, end));
}

ci_history::ci_history(const limits_of<detection_room>& limit)
    : most_(std::max<std::uint64_t>(1, limit.detection.ci_results)),
      most_failures_(limit.detection.ci_failures_shown) {}

ci_verdict ci_history::add(ci_result_ptr result, wall_time at) {
  auto* known = newest_of_run(*result);
  if (known && result->attempt < known->result->attempt)
    return {ci_news::outdated, {}};
  const bool later_attempt = known && result->attempt > known->result->attempt;
  // A state before the end that comes late, or again while it lasts, is no news.
  if (known && result->status == ci_status::running && !later_attempt)
    return {ci_news::outdated, {}};
  if (known && known->result->status == ci_status::running) {
    *known = ci_entry{result, at};
    auto ended = result->status == ci_status::success ? failure_before(*result) : nullptr;
    return {ended ? ci_news::recovered : ci_news::reported, std::move(ended)};
  }
  auto ended = result->status == ci_status::success ? failure_before(*result) : nullptr;
  // A redelivery may come after results of other commits, or name another ref; a status that this
  // commit had before another one is news again.
  const bool repeated = known && !later_attempt && known->result->status == result->status &&
                        (same_branch(*known->result, *result) || !ended);
  if (repeated) {
    *known = ci_entry{together(*known->result, result, most_failures_), at};
    return {ci_news::repeated, {}, known->result};
  }
  entries_.push_back({std::move(result), at});
  if (entries_.size() > most_)
    entries_.pop_front();
  return {ended ? ci_news::recovered : ci_news::reported, std::move(ended)};
}

ci_entry* ci_history::newest_of_run(const ci_result& r) {
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(),
                                  [&](const ci_entry& e) { return same_run(*e.result, r); });
  return found == entries_.rend() ? nullptr : &*found;
}

// The failure of the newest decided revision of that branch, unless it has been made good. Other
// runs of the same revision are siblings: one that fails is not made good by one that does not.
ci_result_ptr ci_history::failure_before(const ci_result& r) const {
  const redacted_text* looked_at = nullptr;
  for (auto e = entries_.rbegin(); e != entries_.rend(); ++e) {
    const auto& other = *e->result;
    const bool sibling = revision(other) == revision(r) && !same_run(other, r);
    if (!same_branch(other, r) || !is_decided(other.status) || sibling)
      continue;
    if (looked_at && *looked_at != revision(other))
      return nullptr;
    looked_at = &revision(other);
    const bool made_good = std::any_of(entries_.rbegin(), e, [&](const ci_entry& later) {
      return later.result->status == ci_status::success && same_run(*later.result, other);
    });
    if (is_failed(other.status) && !made_good)
      return e->result;
    if (revision(other) == revision(r) || other.url.empty())
      return nullptr;
  }
  return nullptr;
}

} // namespace gasoline
