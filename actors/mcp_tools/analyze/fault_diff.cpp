#include "actors/mcp_tools/analyze/fault_diff.hpp"

#include "actors/detection/event_marks.hpp"
#include "actors/detection/logged_fault.hpp"
#include "actors/mcp_tools/analyze/page_use.hpp"
#include "actors/mcp_tools/analyze/preceding_events.hpp"
#include "actors/mcp_tools/tool/age_text.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using std::chrono::milliseconds;

/// A fault that came so long after its page began is due again within that time and some.
constexpr milliseconds longest_wait{30'000};
constexpr milliseconds grace{1'000};

/// Looked through once for each fault, of which there may be thousands.
std::vector<event_group> actions_in(const std::vector<event_group>& events) {
  std::vector<event_group> out;
  std::copy_if(events.begin(), events.end(), std::back_inserter(out), [](const event_group& group) {
    return group.newest->kind == telemetry_kind::action;
  });
  return out;
}

class fate_judge {
 public:
  fate_judge(const std::vector<event_group>& before, const std::vector<event_group>& after,
             wall_time now)
      : actions_(actions_in(before)), use_before_(before), use_after_(after), now_(now) {}

  /// Whether a fault that was not seen since had its chance, and what says so.
  void judge(judged_fault& out) const {
    const auto& e = *out.seen.newest;
    if (logged_fault_in(e) == logged_fault::build || e.build == build_state::failed)
      return settle(out, use_after_.built(), "a build passed since", "no build passed since");
    if (const auto request = request_words(e); !request.empty())
      return settle(
          out, use_after_.asked_with_success(request), request + " succeeded since",
          request + (use_after_.asked(request) ? " had no success since" : " was not asked since"));
    const auto page = page_of(e);
    if (page.empty())
      return settle(out, false, "", "it belongs to no page, so nothing shows that it was tried");
    if (const auto action = last_action_before(actions_, e); !action.empty())
      return settle(out, use_after_.did(page, action), action + " was done again",
                    action + " was not done again");
    judge_load(out, e, page);
  }

 private:
  static void settle(judged_fault& out, bool fixed, std::string proof, std::string lack) {
    out.fate = fixed ? fault_fate::fixed : fault_fate::unproved;
    out.proof = fixed ? std::move(proof) : std::move(lack);
  }

  // Nobody did anything: the fault came by itself, some time after the page began.
  void judge_load(judged_fault& out, const event& e, std::string_view page) const {
    const auto loaded = use_after_.loaded_since(page, use_before_);
    if (!loaded)
      return settle(out, false, "", "its page was not loaded since");
    const auto began = use_before_.document_began(marks_of(e).page_id);
    const auto delay = began ? std::clamp(e.at - *began, milliseconds{0}, longest_wait) : grace;
    const bool waited = now_ - *loaded >= delay + grace;
    settle(out, waited, "its page was loaded " + age_text(now_ - *loaded) + " ago",
           "its page was loaded only " + age_text(now_ - *loaded) + " ago, and it came after " +
               age_text(delay) + " before");
  }

  std::vector<event_group> actions_; ///< before
  page_use use_before_;
  page_use use_after_;
  wall_time now_;
};

} // namespace

std::vector<judged_fault> diff_faults(const std::vector<event_group>& before,
                                      const std::vector<event_group>& after, wall_time now,
                                      const limits_of<alert_room>& limit) {
  const auto seen_before = faults_in(before, limit);
  const auto seen_after = faults_in(after, limit);
  const fate_judge judge{before, after, now};
  std::vector<judged_fault> out;
  for (const auto& [key, f] : seen_after)
    out.push_back({f, seen_before.count(key) > 0 ? fault_fate::still : fault_fate::fresh, {}});
  for (const auto& [key, f] : seen_before) {
    if (seen_after.count(key) > 0)
      continue;
    out.push_back({f, fault_fate::unproved, {}});
    judge.judge(out.back());
  }
  std::stable_sort(out.begin(), out.end(), [](const judged_fault& a, const judged_fault& b) {
    return a.fate != b.fate ? a.fate < b.fate : a.seen.last_at > b.seen.last_at;
  });
  return out;
}

} // namespace gasoline
