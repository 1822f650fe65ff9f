#include "actors/alerts/alert_synthesis.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/base/url_pieces.hpp"
#include "messages/alerts/alert_json.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t summary_above = 3;

struct counted_noun {
  std::string_view one;
  std::string_view many;
};

constexpr std::array<counted_noun, 6> nouns{{
    {"regression", "regressions"},
    {"anomaly", "anomalies"},
    {"CI failure", "CI failures"},
    {"CI result", "CI results"},
    {"threshold breach", "threshold breaches"},
    {"noise notice", "noise notices"},
}};

std::size_t noun_of(const alert& a) {
  switch (a.category) {
  case alert_category::regression:
    return 0;
  case alert_category::anomaly:
    return 1;
  case alert_category::ci:
    return a.level == severity::error ? 2 : 3;
  case alert_category::threshold:
    return 4;
  case alert_category::noise:
    return 5;
  }
  return 1;
}

mono_time::duration distance(mono_time a, mono_time b) {
  return a < b ? b - a : a - b;
}

/// How far apart the nearest known occurrences of the two are.
mono_time::duration time_between(const merged_alert& a, const merged_alert& b) {
  return std::min({distance(a.first_raised, b.first_raised),
                   distance(a.first_raised, b.last_raised), distance(a.last_raised, b.first_raised),
                   distance(a.last_raised, b.last_raised)});
}

/// Both texts around `between`, each cut to its half of `bytes` where they are too long together.
redacted_text both_within(const redacted_text& a, literal between, const redacted_text& b,
                          std::size_t bytes) {
  const auto room = bytes - std::min(bytes, between.view().size());
  const auto half = room / 2;
  auto out = a.shortened(std::max(half, room - std::min(room, b.size())));
  out += between;
  out += b.shortened(std::max(half, room - std::min(room, a.size())));
  return out;
}

merged_alert compound(const merged_alert& regression, const merged_alert& anomaly,
                      const limits_of<alert_room, push_room>& limit) {
  const alert& r = *regression.shown;
  const alert& a = *anomaly.shown;
  const redacted_text prefix{literal{"Correlated: "}};
  auto both = std::make_shared<alert>(r);
  both->level = std::max(r.level, a.level);
  both->page_data = r.page_data || a.page_data;
  both->title = prefix;
  both->title += both_within(r.title, " + ", a.title,
                             limit.alert.title_bytes -
                                 std::min<std::uint64_t>(limit.alert.title_bytes, prefix.size()));
  both->detail = both_within(r.detail, "\n", a.detail, limit.alert.detail_bytes);
  both->source += " + ";
  both->source += a.source;
  auto out = regression;
  out.count += anomaly.count;
  out.at = regression.last_raised < anomaly.last_raised ? anomaly.at : regression.at;
  out.first_raised = std::min(regression.first_raised, anomaly.first_raised);
  out.last_raised = std::max(regression.last_raised, anomaly.last_raised);
  add_evidence(out.also, anomaly.also, regression.also.size() + anomaly.also.size());
  out.shown = std::move(both);
  return out;
}

std::string_view host_of(const redacted_text& url) {
  return take_apart(url.view()).host;
}

/// Whether the anomaly could have to do with the page that got slower. What its page or another
/// host refused has not.
bool may_be_related(const alert& regression, const alert& anomaly) {
  const auto page = host_of(regression.url);
  const auto other_page = host_of(anomaly.page);
  if (!page.empty() && !other_page.empty() && page != other_page)
    return false;
  const auto target = host_of(anomaly.url);
  const bool refused =
      anomaly.kind == alert_topic::network_errors && anomaly.level < severity::error;
  return !refused || page.empty() || target.empty() || page == target;
}

/// The index of the anomaly nearest to the regression within the window.
std::optional<std::size_t> nearest_anomaly(const std::vector<situation>& entries,
                                           const std::vector<bool>& used,
                                           const merged_alert& regression,
                                           std::chrono::milliseconds window) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (used[i] || entries[i].shown.shown->category != alert_category::anomaly ||
        !may_be_related(*regression.shown, *entries[i].shown.shown))
      continue;
    const auto apart = time_between(regression, entries[i].shown);
    if (apart > window)
      continue;
    if (!best || apart < time_between(regression, entries[*best].shown))
      best = i;
  }
  return best;
}

std::string more_unread_line(std::size_t left) {
  return std::to_string(left) + " more unread, call observe {\"what\":\"alerts\"}\n";
}

std::string header_line(std::size_t shown) {
  return "--- ALERTS (" + std::to_string(shown) + ") ---\n";
}

/// Everything before the array when `shown` of the situations are told.
std::string lines_above(const std::vector<situation>& situations, std::size_t shown) {
  auto out = header_line(shown);
  if (shown > summary_above)
    out += summary_line(situations, shown) + "\n";
  if (shown < situations.size())
    out += more_unread_line(situations.size() - shown);
  return out;
}

/// Objects without details, as many as fit into `room` with one separator each.
std::vector<std::string> fitting_brief_objects(const std::vector<situation>& situations,
                                               std::size_t room,
                                               const limits_of<alert_room, push_room>& limit) {
  std::vector<std::string> out;
  std::size_t used = 0;
  for (const auto& s : situations) {
    std::string object;
    append_brief_alert(object, s.shown, limit);
    used += object.size() + 1;
    if (used > room)
      break;
    out.push_back(std::move(object));
  }
  return out;
}

/// Two entries of one key, where the older has been read by another client in between.
merged_alert joined(const merged_alert& older, const merged_alert& newer) {
  auto out = older;
  if (newer.shown->level >= older.shown->level)
    out.shown = newer.shown;
  out.count += newer.count;
  out.at = newer.at;
  out.last_raised = newer.last_raised;
  add_evidence(out.also, newer.also, older.also.size() + newer.also.size());
  return out;
}

/// Entries of one key as one, with the ids of all; `entries` are ordered oldest first.
std::vector<situation> fold_repeats(const std::vector<merged_alert>& entries) {
  std::vector<situation> out;
  std::unordered_map<std::string, std::size_t> by_key;
  for (const auto& e : entries) {
    const auto [known, added] = by_key.emplace(merge_key(*e.shown), out.size());
    if (added) {
      out.push_back({e, {e.id}});
      continue;
    }
    auto& s = out[known->second];
    s.shown = joined(s.shown, e);
    s.ids.push_back(e.id);
  }
  return out;
}

std::vector<std::uint64_t> ids_of_both(const situation& a, const situation& b) {
  auto ids = a.ids;
  ids.insert(ids.end(), b.ids.begin(), b.ids.end());
  return ids;
}

} // namespace

std::vector<situation> correlate(const std::vector<merged_alert>& unread,
                                 const limits_of<alert_room, push_room>& limit) {
  const std::chrono::milliseconds window{limit.alert.correlation_ms};
  auto entries = fold_repeats(unread);
  std::sort(entries.begin(), entries.end(),
            [](const situation& a, const situation& b) { return comes_before(a.shown, b.shown); });
  std::vector<bool> used(entries.size(), false);
  std::vector<situation> out;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& r = entries[i];
    const bool slower = r.shown.shown->category == alert_category::regression;
    const auto partner = slower ? nearest_anomaly(entries, used, r.shown, window) : std::nullopt;
    if (!partner)
      continue;
    used[i] = used[*partner] = true;
    const auto& anomaly = entries[*partner];
    out.push_back({compound(r.shown, anomaly.shown, limit), ids_of_both(r, anomaly)});
  }
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!used[i])
      out.push_back(entries[i]);
  std::sort(out.begin(), out.end(),
            [](const situation& a, const situation& b) { return comes_before(a.shown, b.shown); });
  return out;
}

std::string summary_line(const std::vector<situation>& situations, std::size_t count) {
  std::array<std::size_t, nouns.size()> counts{};
  for (std::size_t i = 0; i < count; ++i)
    ++counts[noun_of(*situations[i].shown.shown)];
  auto out = counted_words(count, "alert", "alerts") + ": ";
  bool first = true;
  for (std::size_t i = 0; i < nouns.size(); ++i) {
    if (counts[i] == 0)
      continue;
    if (!first)
      out += ", ";
    first = false;
    out += std::to_string(counts[i]) + " ";
    out += counts[i] == 1 ? nouns[i].one : nouns[i].many;
  }
  return out;
}

synthesis synthesise(const std::vector<merged_alert>& unread,
                     const limits_of<alert_room, push_room>& limit) {
  if (unread.empty())
    return {};
  const auto situations = correlate(unread, limit);
  // The lines above are longest when every kind is named and something is left.
  const auto widest = lines_above(situations, situations.size()).size() +
                      more_unread_line(situations.size()).size();
  constexpr std::size_t brackets = 2;
  const auto room =
      limit.alert.block_bytes - std::min<std::uint64_t>(limit.alert.block_bytes, widest + brackets);
  auto briefs = fitting_brief_objects(situations, room, limit);

  std::size_t spare = room;
  for (const auto& b : briefs)
    spare -= b.size() + 1;
  synthesis out;
  out.block.shown = briefs.size();
  out.block.left = situations.size() - briefs.size();
  out.block.text = lines_above(situations, briefs.size()) + "[";
  for (std::size_t i = 0; i < briefs.size(); ++i) {
    if (i > 0)
      out.block.text += ',';
    const auto brief_size = briefs[i].size();
    const auto share = spare / (briefs.size() - i);
    add_alert_details(briefs[i], situations[i].shown, brief_size + share, limit);
    spare -= briefs[i].size() - brief_size;
    out.block.text += briefs[i];
  }
  out.block.text += ']';
  for (std::size_t i = briefs.size(); i < situations.size(); ++i)
    out.left.insert(out.left.end(), situations[i].ids.begin(), situations[i].ids.end());
  return out;
}

} // namespace gasoline
