#include "actors/mcp_tools/analyze/faults/fault_diff.hpp"

#include "actors/base/age_text.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/resolution/deed_words.hpp"
#include "actors/resolution/fault_trigger.hpp"
#include "actors/resolution/page_documents.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gasoline {
namespace {

using std::chrono::milliseconds;

/// What comes so shortly after a fault was due may have come in its place.
constexpr milliseconds in_its_place{50};

/// The deeds that prove something, and when each was first seen.
class deed_times {
 public:
  void want(const fault_trigger& trigger) {
    for (const auto& need : trigger.needs)
      for (const auto key : {need.key, need.instead, need.quiet, need.failed_key})
        if (key != 0)
          times_.emplace(key, std::nullopt);
  }

  void look_through(event_span events) {
    if (times_.empty())
      return;
    for (const auto* told : events)
      for (const auto key : event_deeds{*told, target(*told)})
        if (const auto wanted = times_.find(key); wanted != times_.end())
          wanted->second = std::min(wanted->second.value_or(wall_time::max()), told->at);
  }

  // Of thousands of requests, most have the address of another one.
  const request_target& target(const event& e) {
    if (!is_request(e))
      return none_;
    auto& known = targets_[e.name.view()][e.url.view()];
    if (known.bare == 0)
      known = target_of(e, true);
    return known;
  }

  std::optional<wall_time> first(deed_key key) const {
    const auto found = times_.find(key);
    return found == times_.end() ? std::nullopt : found->second;
  }

 private:
  std::unordered_map<deed_key, std::optional<wall_time>> times_;
  std::unordered_map<std::string_view, std::unordered_map<std::string_view, request_target>>
      targets_; ///< by method and address
  request_target none_;
};

/// Whether a fault that was not seen since had its chance, and what says so.
class fate_judge {
 public:
  fate_judge(event_span before, event_span after, wall_time now)
      : past_(deeds_in(before)), documents_before_(before), documents_after_(after), now_(now) {}

  std::vector<fault_trigger> triggers(const fault& f) {
    auto out =
        triggers_of(*f.newest, past_, documents_before_.document_began(page_id_of(*f.newest)));
    if (came_with_several_ids(f))
      out.push_back(any_request_of_its_route(*f.newest));
    for (const auto& trigger : out)
      wanted_.want(trigger);
    return out;
  }

  void look_at(event_span after, const fault_table& seen, const fault_table& known) {
    wanted_.look_through(after);
    for (const auto& [key, f] : seen)
      if (known.count(key) == 0)
        fresh_.emplace(page_of(*f.newest), &f);
  }

  void judge(judged_fault& out, const std::vector<fault_trigger>& triggers) const {
    for (auto trigger = triggers.rbegin(); trigger != triggers.rend(); ++trigger) {
      out.proof.clear();
      judge_by(out, *trigger);
      if (out.fate == fault_fate::fixed)
        return;
    }
  }

 private:
  static bool came_with_several_ids(const fault& f) {
    if (!is_request(*f.newest))
      return false;
    std::set<deed_key> asked;
    for (const auto& e : f.occurrences)
      asked.insert(request_key_of(*e, request_outcome::asked));
    return asked.size() > 1;
  }

  static void add_proof(judged_fault& out, const std::string& words) {
    out.proof += (out.proof.empty() ? "" : ", and ") + words;
  }

  std::optional<page_documents::load> shown(const fault_trigger& trigger) const {
    return documents_after_.shown_since(trigger.page, documents_before_,
                                        trigger.delay + trigger_grace);
  }

  std::optional<wall_time> seen(const trigger_need& need, const fault_trigger& trigger) const {
    if (need.is_load) {
      const auto load = shown(trigger);
      return load ? std::optional{load->began} : std::nullopt;
    }
    const auto at = wanted_.first(need.key);
    return at ? at : seen_quietly(need);
  }

  // A failure of it would be told within that time.
  std::optional<wall_time> seen_quietly(const trigger_need& need) const {
    const auto at = need.quiet == 0 ? std::nullopt : wanted_.first(need.quiet);
    const bool went_well = at && !wanted_.first(need.failed_key) && now_ - *at >= 2 * trigger_grace;
    return went_well ? at : std::nullopt;
  }

  std::string why_missing(const trigger_need& need) const {
    return need.instead != 0 && wanted_.first(need.instead) ? need.failed : need.lack;
  }

  void judge_by(judged_fault& out, const fault_trigger& trigger) const {
    out.fate = fault_fate::unproved;
    if (trigger.needs.empty()) {
      out.proof = trigger.lack;
      return;
    }
    auto tried = wall_time::min();
    for (const auto& need : trigger.needs) {
      const auto at = seen(need, trigger);
      if (!at) {
        out.proof = why_missing(need);
        return;
      }
      tried = std::max(tried, *at);
      add_proof(out, need.is_load ? need.done + ' ' + age_text(now_ - *at) + " ago" : need.done);
    }
    const bool by_load = std::any_of(trigger.needs.begin(), trigger.needs.end(),
                                     [](const trigger_need& need) { return need.is_load; });
    if (by_load && shown(trigger)->was_left) {
      out.proof +=
          ", but left before it could come: it came after " + age_text(trigger.delay) + " before";
      return;
    }
    if (!trigger.at_once && now_ - tried < trigger.delay + trigger_grace) {
      out.proof += ", but only " + age_text(now_ - tried) + " ago, and it came after " +
                   age_text(trigger.delay) + " before";
      return;
    }
    if (const auto* other = in_place_of(trigger, tried)) {
      out.proof += ", but " + other->title.shortened(80).str() +
                   " is new there and may have come before it could";
      return;
    }
    out.fate = fault_fate::fixed;
  }

  /// A new fault of the same page, from when this one was tried again until it was due.
  const fault* in_place_of(const fault_trigger& trigger, wall_time tried) const {
    if (trigger.at_once)
      return nullptr;
    const auto [begin, end] = fresh_.equal_range(trigger.page);
    const auto found = std::find_if(begin, end, [&](const auto& row) {
      const auto& f = *row.second;
      return f.last_at >= tried && f.first_at <= tried + trigger.delay + in_its_place;
    });
    return found == end ? nullptr : found->second;
  }

  deed_history past_;
  page_documents documents_before_;
  page_documents documents_after_;
  wall_time now_;
  deed_times wanted_;
  std::multimap<std::string_view, const fault*> fresh_; ///< by page
};

/// Whether it was seen since in documents alone that were there before and then were loaded anew:
/// what they went on to show says nothing of what was changed meanwhile.
bool ended_with_documents(const fault& f, const page_documents& before,
                          const page_documents& after) {
  const auto loaded = after.loaded_since(page_of(*f.newest), before);
  const auto was_there = [&](const event* e) {
    return before.document_began(page_id_of(*e)).has_value();
  };
  return loaded && f.last_at < *loaded + trigger_grace && was_there(f.newest) &&
         std::all_of(f.occurrences.begin(), f.occurrences.end(), was_there);
}

/// Takes those out.
fault_table take_ended(event_span before, event_span after, fault_table& seen_after) {
  fault_table out;
  if (seen_after.empty()) // what follows looks at all events
    return out;
  const page_documents documents_before{before};
  const page_documents documents_after{after};
  for (auto row = seen_after.begin(); row != seen_after.end();) {
    const auto next = std::next(row);
    if (ended_with_documents(row->second, documents_before, documents_after))
      out.insert(seen_after.extract(row));
    row = next;
  }
  return out;
}

/// The faults of the earlier stretch that were not seen since.
std::vector<judged_fault> judge_gone(event_span before, event_span after, wall_time now,
                                     fault_table& seen_before, const fault_table& seen_after) {
  std::vector<fault*> gone;
  for (auto& [key, f] : seen_before)
    if (seen_after.count(key) == 0)
      gone.push_back(&f);
  std::vector<judged_fault> out;
  if (gone.empty()) // what follows looks at all events
    return out;
  fate_judge judge{before, after, now};
  std::vector<std::vector<fault_trigger>> triggers;
  for (const auto* f : gone)
    triggers.push_back(judge.triggers(*f));
  judge.look_at(after, seen_after, seen_before);
  for (std::size_t i = 0; i < gone.size(); ++i) {
    out.push_back({std::move(*gone[i]), fault_fate::unproved, {}});
    judge.judge(out.back(), triggers[i]);
  }
  return out;
}

/// By fate, then by the time last seen, the newest first.
std::vector<judged_fault> in_order(std::vector<judged_fault> faults) {
  std::vector<judged_fault*> places; // a fault is large to move
  places.reserve(faults.size());
  for (auto& f : faults)
    places.push_back(&f);
  std::stable_sort(places.begin(), places.end(), [](const auto* a, const auto* b) {
    return a->fate != b->fate ? a->fate < b->fate : a->seen.last_at > b->seen.last_at;
  });
  std::vector<judged_fault> out;
  out.reserve(places.size());
  for (auto* f : places)
    out.push_back(std::move(*f));
  return out;
}

} // namespace

std::vector<judged_fault> diff_faults(event_span before, event_span after, wall_time now,
                                      const limits_of<alert_room>& limit) {
  fault_names names{limit};
  auto seen_before = faults_in(before, names);
  auto seen_after = faults_in(after, names);
  seen_before.merge(take_ended(before, after, seen_after));
  auto gone = judge_gone(before, after, now, seen_before, seen_after);
  std::vector<judged_fault> out;
  out.reserve(seen_after.size() + gone.size());
  for (auto& [key, f] : seen_after) {
    const auto fate = seen_before.count(key) > 0 ? fault_fate::still : fault_fate::fresh;
    out.push_back({std::move(f), fate, {}});
  }
  std::move(gone.begin(), gone.end(), std::back_inserter(out));
  return in_order(std::move(out));
}

} // namespace gasoline
