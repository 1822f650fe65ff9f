#include "actors/detection/ci_history.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

const redacted_text& revision(const ci_result& r) {
  return r.commit.empty() ? r.ref : r.commit;
}

bool same_branch(const ci_result& a, const ci_result& b) {
  return a.source == b.source && a.ref == b.ref;
}

bool same_revision(const ci_result& a, const ci_result& b) {
  return a.source == b.source && revision(a) == revision(b);
}

} // namespace

ci_history::ci_history(const limits& limit)
    : most_(std::max<std::uint64_t>(1, limit.detection.ci_results)) {}

ci_news ci_history::add(ci_result_ptr result, wall_time at) {
  const auto latest_on_branch =
      std::find_if(entries_.rbegin(), entries_.rend(),
                   [&](const ci_entry& e) { return same_branch(*e.result, *result); });
  const bool recovered = latest_on_branch != entries_.rend() &&
                         result->status == ci_status::success &&
                         latest_on_branch->result->status != ci_status::success;
  // A redelivery may come after results of other commits, or name another ref; a status that this
  // commit had before another one is news again.
  const auto known = std::find_if(entries_.rbegin(), entries_.rend(), [&](const ci_entry& e) {
    return same_revision(*e.result, *result);
  });
  const bool repeated = known != entries_.rend() && known->result->status == result->status &&
                        (same_branch(*known->result, *result) || !recovered);
  if (repeated) {
    *known = ci_entry{std::move(result), at};
    return ci_news::repeated;
  }
  entries_.push_back({std::move(result), at});
  if (entries_.size() > most_)
    entries_.pop_front();
  return recovered ? ci_news::recovered : ci_news::reported;
}

} // namespace gasoline
