#include "actors/resolution/fault_trigger.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/detection/direct_alert.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/detection/fault/logged_fault.hpp"
#include "actors/resolution/deed_words.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gasoline {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds action_reach{5'000};
constexpr milliseconds request_reach{2'000};
/// A fault that comes so long after its page began is due again within that time and some.
constexpr milliseconds longest_delay{30'000};
/// An error without a page, and the answer that it spoiled.
constexpr milliseconds answer_reach{1'500};
/// Of an answer is told a little later than of what its program writes.
constexpr milliseconds answer_delivery{500};
/// A flood between the two says that they have little to do with each other.
constexpr std::size_t most_looked_at = 500;

/// The newest event within `reach` before `at` that `is_meant`; null: none.
template <class Meant>
const event* newest_before(event_span events, wall_time at, milliseconds reach, Meant is_meant) {
  auto next = std::upper_bound(events.begin(), events.end(), at,
                               [](wall_time time, const event* later) { return time < later->at; });
  for (std::size_t looked = 0; next != events.begin() && looked < most_looked_at; ++looked) {
    const auto& e = **(--next);
    if (at - e.at > reach)
      return nullptr;
    if (is_meant(e))
      return &e;
  }
  return nullptr;
}

trigger_need need_of(deed_key key, std::string done, std::string lack) {
  trigger_need out;
  out.key = key;
  out.done = std::move(done);
  out.lack = std::move(lack);
  return out;
}

trigger_need build_need() {
  return need_of(build_key(), "a build passed since", "no build passed since");
}

trigger_need request_need(const event& e) {
  const auto words = request_words(e);
  auto out = need_of(request_key_of(e, request_outcome::answered), words + " succeeded since",
                     words + " was not asked again as it was");
  out.instead = request_key_of(e, request_outcome::asked);
  out.failed = words + " had no success since";
  if (e.origin == event_origin::page) {
    out.quiet = quiet_request_key(e);
    out.failed_key = failed_request_key(e);
  }
  return out;
}

trigger_need load_need(std::string_view page) {
  auto out = need_of(load_key(page), "its page was loaded", "its page was not loaded since");
  out.is_load = true;
  return out;
}

trigger_need action_need(std::string_view page, const std::string& words) {
  return need_of(action_key(page, words), words + " was done again", words + " was not done again");
}

/// Browsers time requests of a page, whichever its document.
bool may_share_document(const event& a, const event& b) {
  const auto one = page_id_of(a);
  const auto other = page_id_of(b);
  return one.empty() || other.empty() || one == other;
}

bool is_of_host(const event& e, std::string_view page) {
  return take_apart(e.url.view()).host == take_apart(page).host;
}

/// Whether a failure of the timed request was told.
bool has_failed(const event& timed, const deed_history& past) {
  return newest_before(past.requests, timed.at + request_reach, 2 * request_reach,
                       [&](const event& r) {
                         return r.url == timed.url && is_failed_exchange(r);
                       }) != nullptr;
}

bool went_well(const event& fetched, const deed_history& past) {
  return is_timed_fetch(fetched) ? !has_failed(fetched, past)
                                 : fetched.status >= 200 && !is_failed_exchange(fetched);
}

/// What a page fetched well just before is what it then stumbled over. What failed need not fail
/// again, and scripts and pictures have other names after each build. Of what a browser timed and
/// nothing else is known, only the app's own counts: others count visits.
std::optional<trigger_need> fetch_need(const event& e, const deed_history& past,
                                       std::string_view page, wall_time since) {
  const auto* fetched = newest_before(past.requests, e.at, request_reach, [&](const event& r) {
    const bool may_be = r.kind == telemetry_kind::body || is_timed_fetch(r);
    return may_be && r.sequence != e.sequence && page_of(r) == page && may_share_document(r, e) &&
           (r.kind == telemetry_kind::body || is_of_host(r, page));
  });
  if (!fetched || fetched->at < since || !went_well(*fetched, past))
    return std::nullopt;
  const auto words = request_words(*fetched);
  auto out = need_of(route_key(words, request_outcome::answered), words + " was answered again",
                     words + ", which came before it, was not asked again");
  if (is_timed_fetch(*fetched)) {
    out.quiet = quiet_request_key(*fetched);
    out.failed_key = failed_request_key(*fetched);
  }
  out.instead = route_key(words, request_outcome::asked);
  out.failed = words + ", which came before it, had no success since";
  out.is_route = true;
  return out;
}

/// The request that a program failed to answer when it told of that error.
const event* spoiled_answer(const event& e, const deed_history& past) {
  const auto trace = marks_of(e).trace_id;
  return newest_before(past.requests, e.at + answer_reach, 2 * answer_reach, [&](const event& r) {
    if (r.sequence == e.sequence || !is_failed_exchange(r))
      return false;
    return trace.empty() ? r.status == 0 || r.status >= 500 : marks_of(r).trace_id == trace;
  });
}

fault_trigger by_request(const event& e) {
  fault_trigger out;
  out.at_once = true;
  out.page = page_of(e);
  out.needs.push_back(request_need(e));
  return out;
}

/// The page may be wrong to ask that, so that once it is mended nobody asks it any more.
bool asked_amiss(const event& e) {
  const auto method = method_of(e);
  return (method.empty() || method.view() == "GET") &&
         (e.status == 400 || e.status == 404 || e.status == 410);
}

/// What a command wrote has an address too, which is no page.
bool is_of_program(const event& e) {
  return e.origin == event_origin::process || page_of(e).empty();
}

bool is_asked_by_script(const event& r) {
  const auto by = field_text(r.fields, "initiator_type");
  return r.kind == telemetry_kind::body || by.view() == "fetch" || by.view() == "xmlhttprequest";
}

/// The request that a program had just answered when it told of that error, as one does that goes
/// wrong behind its answer. One that had been answered before without it, such as a page asks every
/// second, says nothing.
const event* answer_before(const event& e, const deed_history& past) {
  const auto* found =
      newest_before(past.requests, e.at + answer_delivery, answer_delivery + answer_reach,
                    [&](const event& r) { return is_asked_by_script(r) && went_well(r, past); });
  if (!found)
    return nullptr;
  const auto words = request_words(*found);
  const auto* earlier = newest_before(past.requests, e.at - answer_reach, longest_delay,
                                      [&](const event& r) { return request_words(r) == words; });
  return earlier ? nullptr : found;
}

fault_trigger of_program(const event& e, const deed_history& past) {
  if (const auto* request = spoiled_answer(e, past))
    return by_request(*request);
  fault_trigger out;
  if (const auto* request = answer_before(e, past)) {
    out.needs.push_back(request_need(*request));
    out.delay = answer_reach;
    return out;
  }
  out.lack = "it belongs to no page, so nothing shows that it was tried";
  return out;
}

milliseconds delay_between(wall_time from, wall_time to) {
  return std::clamp(to - from, milliseconds{0}, longest_delay);
}

/// What the user did on the page last before; null: nothing lately.
const event* action_before(const event& e, const deed_history& past, std::string_view page) {
  return newest_before(past.actions, e.at, action_reach, [&](const event& a) {
    return page_of(a) == page && !action_words(a).empty();
  });
}

fault_trigger on_page(const event& e, const deed_history& past, std::string_view page,
                      std::optional<wall_time> document_began, const event* action) {
  fault_trigger out;
  out.page = page;
  // Of its document, the fault may be what is heard of first.
  auto began = document_began;
  auto fetched_from = e.at - request_reach;
  if (action) {
    began = fetched_from = action->at;
    out.needs.push_back(action_need(page, action_words(*action)));
  } else {
    out.needs.push_back(load_need(page));
  }
  out.delay = began ? delay_between(*began, e.at) : trigger_grace;
  if (auto fetch = fetch_need(e, past, page, fetched_from))
    out.needs.push_back(std::move(*fetch));
  return out;
}

/// A view that a page's own script has opened is also opened by loading its address.
bool opens_view(const event* action) {
  return action != nullptr && action->name.view() == "navigate";
}

std::vector<fault_trigger> ways_on_page(const event& e, const deed_history& past,
                                        std::string_view page,
                                        std::optional<wall_time> document_began) {
  const auto* action = action_before(e, past, page);
  std::vector<fault_trigger> out{on_page(e, past, page, document_began, action)};
  if (opens_view(action))
    out.push_back(on_page(e, past, page, action->at, nullptr));
  return out;
}

} // namespace

bool is_kept_request(const event& e) {
  return is_request(e) && (e.status >= 0 || is_timed_fetch(e));
}

deed_history deeds_in(event_span events) {
  deed_history out;
  for (const auto* told : events) {
    const auto& e = *told;
    if (e.kind == telemetry_kind::action)
      out.actions.push_back(told);
    else if (is_kept_request(e))
      out.requests.push_back(told);
  }
  return out;
}

std::vector<fault_trigger> triggers_of(const event& e, const deed_history& past,
                                       std::optional<wall_time> document_began) {
  if (logged_fault_in(e) == logged_fault::build || e.build == build_state::failed) {
    fault_trigger out;
    out.at_once = true;
    out.page = page_of(e);
    out.needs.push_back(build_need());
    return {std::move(out)};
  }
  const auto page = page_of(e);
  if (!is_request(e) && is_of_program(e))
    return {of_program(e, past)};
  if (!is_request(e))
    return ways_on_page(e, past, page, document_began);
  std::vector<fault_trigger> out{by_request(e)};
  if (!page.empty() && asked_amiss(e))
    for (auto& way : ways_on_page(e, past, page, document_began))
      out.push_back(std::move(way));
  return out;
}

fault_trigger any_request_of_its_route(const event& e) {
  fault_trigger out;
  out.at_once = true;
  const auto words = request_words(e);
  auto need = need_of(route_key(words, request_outcome::answered), words + " succeeded since",
                      words + " was not asked since");
  need.is_route = true;
  out.needs.push_back(std::move(need));
  return out;
}

} // namespace gasoline
