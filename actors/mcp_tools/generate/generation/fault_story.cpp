#include "actors/mcp_tools/generate/generation/fault_story.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/resolution/deed_words.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

/// An action that leads to another document does so within that time.
constexpr std::chrono::seconds lead{10};
/// What is heard of a document after it was left.
constexpr std::chrono::seconds aftermath{2};
/// Without ids of documents, what was done on the same page within that time belongs together.
constexpr std::chrono::minutes together{2};
constexpr std::size_t most_actions = 60;
constexpr std::size_t most_documents = 10;

/// One document's life, as far as it was heard of.
struct document {
  wall_time began{};
  wall_time ended{};
  redacted_text address; ///< at its beginning
  redacted_text tab;     ///< that shows it; empty: not told
};

using document_table = std::map<std::string_view, document>;

/// The address of the page that an event happened on, with its query.
redacted_text address_of(const event& e) {
  if (!e.page.empty())
    return e.page;
  return is_request(e) || e.kind == telemetry_kind::socket ? redacted_text{} : e.url;
}

void note(document& d, const event& e) {
  if (d.address.empty())
    d.address = address_of(e);
  d.ended = e.at;
}

document_table documents_in(const generation_input& input) {
  document_table out;
  auto last = out.end(); // most events are of the document of the one before
  for (const auto* told : input.seen.events) {
    const auto id = page_id_of(*told);
    if (id.empty())
      continue;
    if (last == out.end() || last->first != id) {
      const auto [place, added] = out.try_emplace(id, document{told->at, told->at, {}, {}});
      if (added)
        place->second.tab = field_text(told->fields, "tab");
      last = place;
    }
    note(last->second, *told);
  }
  return out;
}

/// The actions of that document up to that time, oldest first.
event_refs actions_of(const generation_input& input, std::string_view document, wall_time until) {
  event_refs out;
  for (const auto* step : input.steps) {
    const auto& e = *step;
    if (e.at > until)
      break;
    if (e.kind == telemetry_kind::action && page_id_of(e) == document)
      out.push_back(step);
  }
  return out;
}

/// Whether the document is the first one that its tab showed.
bool is_first_in_tab(const document_table& documents, const document& d) {
  return !d.tab.empty() && std::none_of(documents.begin(), documents.end(), [&](const auto& row) {
    return row.second.tab == d.tab && row.second.began < d.began;
  });
}

/// The document in which an action led to this one, which was left for it or has opened it;
/// nothing: none did.
std::optional<std::string_view> document_before(const generation_input& input,
                                                const document_table& documents,
                                                const document& next) {
  std::optional<std::string_view> out;
  const bool is_window = is_first_in_tab(documents, next);
  auto step = std::lower_bound(input.steps.begin(), input.steps.end(), next.began - lead,
                               [](const event* early, wall_time at) { return early->at < at; });
  for (; step != input.steps.end() && (*step)->at <= next.began; ++step) {
    const auto& e = **step;
    const auto id = page_id_of(e);
    if (e.kind != telemetry_kind::action || id.empty() || is_opening(e))
      continue;
    const auto& its = documents.at(id);
    const bool was_left = its.began < next.began && its.ended <= next.began + aftermath;
    const bool has_opened = is_window && its.tab != next.tab && next.began - e.at < aftermath;
    if (&its != &next && (was_left || has_opened))
      out = id;
  }
  return out;
}

/// The document of the same tab and site that was shown before this one was opened there by its
/// address; nothing: nothing was done in one.
std::optional<std::string_view> document_beside(const generation_input& input,
                                                const document_table& documents,
                                                std::string_view next_id) {
  const auto& next = documents.at(next_id);
  const auto origin = take_apart(next.address.view()).origin;
  std::optional<std::string_view> out;
  bool was_opened = false;
  for (const auto* step : input.steps) {
    const auto id = page_id_of(*step);
    if (step->kind != telemetry_kind::action || id.empty())
      continue;
    was_opened = was_opened || (id == next_id && is_opening(*step));
    const auto& its = documents.at(id);
    const bool is_before = id != next_id && its.tab == next.tab && its.began < next.began &&
                           next.began - step->at < together;
    if (is_before && !is_opening(*step) && take_apart(its.address.view()).origin == origin)
      out = id;
  }
  return was_opened && !next.tab.empty() ? out : std::nullopt;
}

/// The first documents of the tabs, by the document that an action was done in which opened theirs.
using opened_windows = std::multimap<std::string_view, std::string_view>;

opened_windows windows_in(const generation_input& input, const document_table& documents) {
  std::map<std::string_view, document_table::const_iterator> first; // by tab
  for (auto row = documents.begin(); row != documents.end(); ++row)
    if (const auto tab = row->second.tab.view(); !tab.empty()) {
      const auto [known, added] = first.try_emplace(tab, row);
      if (!added && row->second.began < known->second->second.began)
        known->second = row;
    }
  opened_windows out;
  for (const auto& [tab, row] : first)
    if (const auto opener = document_before(input, documents, row->second))
      if (documents.at(*opener).tab.view() != tab)
        out.emplace(*opener, row->first);
  return out;
}

/// The actions in a document and in the windows that were opened from it, in the order of time.
event_refs actions_with_windows(const generation_input& input, const opened_windows& windows,
                                std::string_view document, wall_time until) {
  auto out = actions_of(input, document, until);
  const auto [begin, end] = windows.equal_range(document);
  for (auto row = begin; row != end; ++row) {
    const auto more = actions_of(input, row->second, until);
    out.insert(out.end(), more.begin(), more.end());
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const event* a, const event* b) { return a->at < b->at; });
  return out;
}

/// Follows the documents back, as long as an action led from one to the next.
void follow_documents(fault_story& out, const generation_input& input,
                      const document_table& documents, std::string_view last) {
  const auto windows = windows_in(input, documents);
  std::optional<std::string_view> id = last;
  auto until = out.seen.newest->at;
  for (std::size_t n = 0; id && n < most_documents; ++n) {
    const auto found = documents.find(*id);
    if (found == documents.end())
      return;
    auto actions = actions_with_windows(input, windows, *id, until);
    out.actions.insert(out.actions.begin(), actions.begin(), actions.end());
    out.start = found->second.address;
    until = found->second.began;
    const auto before = document_before(input, documents, found->second);
    id = before ? before : document_beside(input, documents, *id);
  }
}

/// Of senders that do not tell documents apart.
void take_same_page(fault_story& out, const generation_input& input) {
  const auto& e = *out.seen.newest;
  const auto page = page_of(e);
  out.start = address_of(e);
  for (const auto* step : input.steps) {
    const auto& action = *step;
    if (action.kind == telemetry_kind::action && action.at <= e.at &&
        e.at - action.at <= together && page_of(action) == page)
      out.actions.push_back(step);
  }
}

/// Whether the actions say of which document they are.
bool tells_documents(event_span steps) {
  const auto is_action = [](const event* e) { return e->kind == telemetry_kind::action; };
  const bool any = std::any_of(steps.begin(), steps.end(), is_action);
  return !any || std::any_of(steps.begin(), steps.end(), [&](const event* e) {
    return is_action(e) && !page_id_of(*e).empty();
  });
}

void cut_to_last(fault_story& story) {
  auto& actions = story.actions;
  if (actions.size() <= most_actions)
    return;
  actions.erase(actions.begin(), actions.end() - most_actions);
  story.start = address_of(*actions.front());
}

} // namespace

result_or<fault_story> tell_fault(const generation_input& input) {
  const auto faults = faults_in(input.seen.events, input.seen.limit);
  const auto* chosen = newest_fault(faults, input.alert_title);
  if (!chosen)
    return tl::unexpected(user_error{
        input.alert_title.empty()
            ? "No fault was seen there; observe {\"what\":\"errors\"} lists errors."
            : "The alert tells of no error or request that is still buffered; leave out id for the "
              "newest fault, or see observe {\"what\":\"errors\"}."});
  fault_story out;
  out.seen = *chosen;
  const auto document = page_id_of(*out.seen.newest);
  if (document.empty() || !tells_documents(input.steps))
    take_same_page(out, input);
  else
    follow_documents(out, input, documents_in(input), document);
  cut_to_last(out);
  return out;
}

} // namespace gasoline
