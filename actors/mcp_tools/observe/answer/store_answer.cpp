#include "actors/mcp_tools/observe/answer/store_answer.hpp"

#include "actors/mcp_tools/observe/answer/answer_builder.hpp"
#include "messages/base/presentable_text.hpp"
#include "messages/telemetry/absence_of_telemetry.hpp"
#include "messages/telemetry/event_json.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace gasoline {
namespace {

bool is_filtered(const store_query& q) {
  return !q.url.empty() || q.origin || !q.service.empty() || q.min_level || q.status_min ||
         q.since || q.after_sequence > 0 || q.before_sequence > 0;
}

std::string full_sentence(const observe_call& call, const store_page& page, std::uint64_t shown) {
  const auto& words = call.subject;
  auto out = counted(page.total, words);
  // Each item says how often it came, and when.
  if (shown < page.total)
    out += ", " + std::to_string(shown) + " distinct";
  if (page.next_cursor > 0)
    out += " shown; pass cursor for older ones";
  if (page.evicted > 0)
    out += "; " + std::to_string(page.evicted) + " older ones were dropped by the buffer's caps";
  return out.append(". ").append(outside_text_label);
}

constexpr const char* unknown_cursor =
    "cursor is newer than everything here: it was given before the engine was started anew, or for "
    "another what. Leave it out to start with the newest.";

bool is_from_elsewhere(const store_query& query, const store_page& page) {
  return query.before_sequence > page.newest_sequence + 1;
}

/// Without any telemetry the answer follows from what the doors have seen.
void answer_why_nothing_came(const tool_call& call, const observe_call& asked) {
  call.health([call, asked](const nlohmann::json& health) {
    auto sentence = "No " + std::string{asked.subject.many} + ": " + absence_of_telemetry(health) +
                    ' ' + std::string{outside_text_label};
    call.answer(observe_result(asked, answer_builder{asked}.finish(std::move(sentence), 0, 0, 0)));
  });
}

/// Summaries look at many events and show few items.
store_query widened(store_query query, const limits_of<client_room, result_room>& limit) {
  query.limit = limit.result.max_items;
  query.max_bytes = limit.result.max_bytes;
  return query;
}

bool is_brief(const observe_call& call) {
  return call.brief_items != nullptr && call.detail == answer_detail::brief;
}

/// The store's own budget counts events as they are; items may be smaller.
store_query store_question(const store_view& view, const observe_call& asked,
                           const limits_of<result_room>& limit) {
  auto query = asked.query;
  if (!is_brief(asked))
    return query;
  query.what = view.brief_events.value_or(view.events);
  query.max_bytes = limit.result.max_bytes;
  query.joins_loads = true;
  return query;
}

/// The last that users and pages did.
store_query question_around(const limits_of<result_room>& limit) {
  constexpr std::uint64_t most_events = 300;
  store_query query;
  query.what = queried_events::steps;
  query.limit = std::min(most_events, limit.result.max_items);
  query.max_bytes = limit.result.max_bytes;
  return query;
}

bool is_error(const event& e) {
  return e.level == log_level::error || e.type == entry_type::exception || is_failed_request(e);
}

std::vector<answer_item> items_of(const observe_call& call, const store_page& page,
                                  const store_page& around) {
  if (is_brief(call))
    return call.brief_items(call, page, around);
  std::vector<answer_item> out;
  for (const auto& g : page.groups) {
    const auto json = [&g, with_kind = call.query.what == queried_events::timeline] {
      std::string text;
      append_group_json(text, g, with_kind);
      return text;
    };
    out.push_back({json, g.newest->sequence, is_error(*g.newest)});
  }
  return out;
}

} // namespace

std::string empty_sentence(const observe_call& call, const store_page& page) {
  const auto& words = call.subject;
  const auto none = "No " + std::string{words.many};
  if (page.noise_hidden > 0)
    return none + ": " + std::to_string(page.noise_hidden) +
           " matching entries are hidden as noise; include_noise: true shows them.";
  if (page.buffered > 0 && is_filtered(call.query))
    return none + " match: " + std::to_string(page.buffered) +
           " entries are buffered, and the filters or an earlier clear leave none. Loosen url, "
           "origin, service, min_level, status_min, since or cursor.";
  return none + " so far." + (words.hint.empty() ? "" : ' ' + std::string{words.hint});
}

observe_call plain_call(const store_view& view, const limits_of<client_room, result_room>& limit,
                        std::uint64_t max_bytes) {
  auto call = plain_call(view.subject, limit, max_bytes);
  call.query.what = view.events;
  call.brief_items = view.brief_items;
  return call;
}

std::string store_answer(const observe_call& call, const store_page& page,
                         const store_page& around) {
  answer_builder answer{call};
  auto next = page.next_cursor;
  for (const auto& item : items_of(call, page, around)) {
    if (!answer.add(item.json())) {
      next = item.sequence + 1;
      break;
    }
  }
  if (page.groups.empty())
    return answer.finish(empty_sentence(call, page), page.total, 0, page.noise_hidden);
  auto shown = page;
  shown.next_cursor = next;
  return answer.finish(full_sentence(call, shown, answer.count()), page.total, next,
                       page.noise_hidden);
}

namespace {

std::string new_answer(const observe_call& call, const store_page& page, const store_page& around) {
  answer_builder answer{call};
  auto items = items_of(call, page, around);
  std::stable_partition(items.begin(), items.end(),
                        [](const answer_item& item) { return item.is_error; });
  for (const auto& item : items)
    if (!answer.add(item.json()))
      break;
  auto sentence = items.empty() ? "No new " + std::string{call.subject.many} + "."
                                : counted(page.total, call.subject) + " since the cursor";
  const auto left = items.size() - answer.count();
  if (left > 0 || page.next_cursor > 0)
    sentence += ", errors first; " + std::to_string(left) +
                (page.next_cursor > 0 ? " and more" : "") + " did not fit";
  if (!items.empty())
    sentence.append(". ").append(outside_text_label);
  return answer.finish_new(std::move(sentence), page.total, page.newest_sequence,
                           page.noise_hidden);
}

/// What is asked after a page was read: `around` is what else there was.
using after_page = std::function<void(const store_page& page, const store_page& around)>;

/// Reads what else there was, where the items tell of it.
void look_around(const store_view& view, const tool_call& call, const observe_call& asked,
                 const store_page& page, after_page then) {
  if (!view.looks_around || !is_brief(asked)) {
    then(page, {});
    return;
  }
  call.events(question_around(call.limit()),
              [then = std::move(then), kept = std::make_shared<const store_page>(page)](
                  const store_page& around) { then(*kept, around); });
}

void answer_new(const store_view& view, const tool_call& call, const observe_call& asked) {
  auto query = widened(store_question(view, asked, call.limit()), call.limit());
  call.events(std::move(query), [view, call, asked](const store_page& page) {
    if (asked.query.after_sequence > page.newest_sequence) { // of an engine of before
      auto anew = asked;
      anew.query.after_sequence = 0;
      answer_new(view, call, anew);
      return;
    }
    look_around(view, call, asked, page,
                [call, asked](const store_page& found, const store_page& around) {
                  call.answer(observe_result(asked, new_answer(asked, found, around)));
                });
  });
}

void answer_page(const store_view& view, const tool_call& call, const observe_call& asked,
                 const store_page& page) {
  if (!page.any_source_seen)
    answer_why_nothing_came(call, asked);
  else if (is_from_elsewhere(asked.query, page))
    call.refuse(unknown_cursor);
  else if (view.summary)
    call.answer(observe_result(asked, view.summary(asked, page)));
  else
    look_around(view, call, asked, page,
                [call, asked](const store_page& found, const store_page& around) {
                  call.answer(observe_result(asked, store_answer(asked, found, around)));
                });
}

} // namespace

tool_result observe_result(const observe_call& asked, std::string text) {
  auto out = text_result(std::move(text));
  if (!asked.whole_budget)
    return out;
  const auto used = std::get<text_block>(out.content.front()).text.size();
  out.alert_bytes = asked.query.max_bytes > used ? asked.query.max_bytes - used : 0;
  return out;
}

tool_mode store_mode(const store_view& view, const limits_of<client_room, result_room>& limit) {
  auto parameters = observe_parameters(plain_call(view, limit, limit.result.bytes), limit, false);
  if (view.summary)
    parameters.check(refuse_since_cursor);
  if (view.brief_items)
    parameters.choice<answer_detail>("detail", &observe_call::detail);
  return make_mode(view.subject.mode, view.about, std::move(parameters),
                   [view](const tool_call& call, const observe_call& given) {
                     auto asked = given;
                     asked.asked_at = call.wall_now();
                     if (asked.only_new) {
                       answer_new(view, call, asked);
                       return;
                     }
                     auto query = view.summary ? widened(asked.query, call.limit())
                                               : store_question(view, asked, call.limit());
                     call.events(std::move(query), [view, call, asked](const store_page& page) {
                       answer_page(view, call, asked, page);
                     });
                   });
}

} // namespace gasoline
