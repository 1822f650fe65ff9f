#include "actors/mcp_tools/observe/observe_tool.hpp"

#include "actors/mcp_tools/tool_arguments.hpp"
#include "messages/base/json_text.hpp"
#include "messages/base/presentable_text.hpp"
#include "messages/telemetry/event_json.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace gasoline {
namespace {

/// Room kept for the sentence and the counts around the items.
constexpr std::uint64_t answer_frame_bytes = 600;

struct noun {
  observe_what what;
  std::string_view one;
  std::string_view many;
  std::string_view hint; ///< what to do when there is none
};

constexpr std::string_view add_script =
    "Add the page script gasoline.js from the engine's port to the page, or POST telemetry to the "
    "engine; configure with action health shows the port and what has arrived.";

constexpr noun nouns[] = {
    {observe_what::errors, "error", "errors", "Try what: logs or what: timeline."},
    {observe_what::logs, "log entry", "log entries", "Try what: timeline."},
    {observe_what::network_waterfall, "request", "requests", "Try what: network_bodies."},
    {observe_what::network_bodies, "network body", "network bodies",
     "Bodies are sent for failing and slow requests; try what: network_waterfall for all "
     "requests."},
    {observe_what::websocket_events, "WebSocket event", "WebSocket events", "Try what: timeline."},
    {observe_what::actions, "user action", "user actions", "Try what: timeline."},
    {observe_what::vitals, "page load with vitals", "page loads with vitals",
     "Vitals arrive about 2 s after a page load and when the page is left."},
    {observe_what::performance, "performance snapshot", "performance snapshots",
     "Snapshots arrive about 2 s after a page load and when the page is left."},
    {observe_what::timeline, "event", "events", "Reload the page to produce some."},
    {observe_what::alerts, "alert", "alerts",
     "Alerts are raised for errors, failed requests, regressions, CI results and limits."},
    {observe_what::ci, "CI result", "CI results",
     "POST one to /ci-result, with status and source as JSON."},
    {observe_what::page, "page", "pages", "Open a page that carries the page script."},
};

const noun& noun_of(observe_what what) {
  for (const auto& n : nouns)
    if (n.what == what)
      return n;
  return nouns[0];
}

std::string counted(std::uint64_t n, const noun& words) {
  return std::to_string(n) + " " + std::string{n == 1 ? words.one : words.many};
}

std::optional<std::chrono::milliseconds> parse_age(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
  const std::string_view unit{end, static_cast<std::size_t>(text.data() + text.size() - end)};
  constexpr std::int64_t longest = 1'000'000'000;
  if (ec != std::errc{} || n < 0 || n > longest)
    return std::nullopt;
  if (unit == "ms")
    return std::chrono::milliseconds{n};
  if (unit == "s")
    return std::chrono::seconds{n};
  if (unit == "m" || unit == "min")
    return std::chrono::minutes{n};
  if (unit == "h")
    return std::chrono::hours{n};
  return std::nullopt;
}

void read_since(tool_arguments& args, store_query& q, wall_time now) {
  const auto text = args.text("since");
  if (!text)
    return;
  if (const auto at = from_iso8601(*text))
    q.since = *at;
  else if (const auto age = parse_age(*text))
    q.since = now - *age;
  else
    args.fail("since must be an ISO 8601 time such as 2026-01-28T14:30:00Z, or an age such as 30s, "
              "5m, 2h.");
}

void read_cursor(tool_arguments& args, store_query& q) {
  const auto text = args.text("cursor");
  if (!text || text->empty())
    return;
  const auto* end = text->data() + text->size();
  const bool ok = text->front() == 'e' &&
                  std::from_chars(text->data() + 1, end, q.before_sequence).ptr == end &&
                  text->size() > 1 && q.before_sequence > 0;
  if (!ok)
    args.fail("cursor must be the value that the previous answer gave, unchanged; leave it out to "
              "start with the newest.");
}

void read_wait(tool_arguments& args, observe_call& call, const limits& limit) {
  const auto seconds =
      args.integer("wait_seconds", 0, static_cast<std::int64_t>(limit.client.wait_seconds));
  if (!seconds)
    return;
  call.wait = std::chrono::seconds{*seconds};
  if (*seconds > 0 && call.query.what != observe_what::alerts)
    args.fail("wait_seconds works with what: alerts only; leave it out, or wait for an alert and "
              "then observe " +
              std::string{name_of(call.query.what)} + ".");
}

/// Builds an answer: sentence, line break, and the items that fit.
class answer_builder {
 public:
  explicit answer_builder(const observe_call& call)
      : call_(call),
        budget_(call.query.max_bytes > answer_frame_bytes
                    ? call.query.max_bytes - answer_frame_bytes
                    : call.query.max_bytes) {}

  /// Adds one item; false when it does not fit. The first item always fits, shortened if it must.
  bool add(std::string item) {
    if (count_ >= call_.query.limit)
      return false;
    if (count_ > 0 && items_.size() + item.size() + 1 > budget_)
      return false;
    if (count_ == 0 && item.size() > budget_)
      item = shortened_item(item);
    if (count_ > 0)
      items_ += ',';
    items_ += item;
    ++count_;
    return true;
  }

  std::uint64_t count() const { return count_; }

  tool_result finish(std::string sentence, std::uint64_t total, std::uint64_t next_cursor,
                     std::uint64_t noise_hidden) {
    if (!call_.ignored.empty())
      sentence += " Ignored arguments: " + call_.ignored + ".";
    std::string out = std::move(sentence);
    out += '\n';
    json_object_writer w{out};
    w.raw("items", "[" + items_ + "]").number("count", count_).number("total", total);
    if (next_cursor > 0)
      w.text("cursor", "e" + std::to_string(next_cursor));
    if (noise_hidden > 0)
      w.number("noise_hidden", noise_hidden);
    w.close();
    return {std::move(out), false};
  }

 private:
  /// An item above the whole budget keeps the beginning of its long texts.
  std::string shortened_item(const std::string& item) const {
    auto object = nlohmann::json::parse(item, nullptr, false);
    if (!object.is_object())
      return item;
    const auto share = std::max<std::size_t>(budget_ / 4, 64);
    for (auto& [key, value] : object.items()) {
      const auto text = value.is_string() ? value.get<std::string>() : value.dump();
      if (text.size() <= share)
        continue;
      auto end = share;
      while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
      value = text.substr(0, end) + "…[" + std::to_string(text.size()) +
              " bytes; raise max_bytes to see all]";
    }
    auto out = object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return out.size() <= budget_ ? out : std::string{R"({"too_large":true})"};
  }

  const observe_call& call_;
  std::uint64_t budget_;
  std::string items_;
  std::uint64_t count_ = 0;
};

/// Pages through a short list that is rebuilt for every call: the cursor counts from the newest.
class list_pager {
 public:
  list_pager(const observe_call& call, std::size_t size)
      : call_(call),
        answer_(call),
        size_(size),
        first_(std::min<std::uint64_t>(call.query.before_sequence, size)),
        next_(first_) {}

  /// Adds the items that fit; `text` gives the item at an index.
  template <class Text>
  void add_while(Text text) {
    while (next_ < size_ && answer_.add(text(next_)))
      ++next_;
  }

  bool shown(std::size_t index) const { return index >= first_ && index < next_; }

  tool_result finish(const std::string& remark) {
    const auto& words = noun_of(call_.query.what);
    if (size_ == 0)
      return answer_.finish("No " + std::string{words.many} + " so far. " + std::string{words.hint},
                            0, 0, 0);
    const bool more = next_ < size_;
    return answer_.finish(counted(size_, words) + remark +
                              (more ? "; pass cursor for older ones. " : ". ") +
                              std::string{outside_text_label},
                          size_, more ? next_ : 0, 0);
  }

 private:
  const observe_call& call_;
  answer_builder answer_;
  std::size_t size_;
  std::size_t first_;
  std::size_t next_;
};

bool is_filtered(const store_query& q) {
  return !q.url.empty() || q.min_level || q.status_min || q.since || q.after_sequence > 0 ||
         q.before_sequence > 0;
}

std::string empty_sentence(const observe_call& call, const store_page& page) {
  const auto& words = noun_of(call.query.what);
  const auto none = "No " + std::string{words.many};
  if (!page.any_source_seen)
    return none + ": no telemetry has arrived since the engine started. " + std::string{add_script};
  if (page.noise_hidden > 0)
    return none + ": " + std::to_string(page.noise_hidden) +
           " matching entries are hidden as noise; include_noise: true shows them.";
  if (page.buffered > 0 && is_filtered(call.query))
    return none + " match: " + std::to_string(page.buffered) +
           " entries are buffered, and the filters or an earlier clear leave none. Loosen url, "
           "min_level, status_min, since or cursor.";
  return none + " so far. " + std::string{words.hint};
}

std::string full_sentence(const observe_call& call, const store_page& page, std::uint64_t shown) {
  const auto& words = noun_of(call.query.what);
  auto out = counted(page.total, words);
  if (shown < page.total)
    out += ", " + std::to_string(shown) + " distinct shown, newest first";
  if (page.next_cursor > 0)
    out += "; pass cursor for older ones";
  if (page.evicted > 0)
    out += "; " + std::to_string(page.evicted) + " older ones were dropped by the buffer's caps";
  return out.append(". ").append(outside_text_label);
}

/// Origin and path.
std::string_view page_key(std::string_view url) {
  return url.substr(0, url.find_first_of("?#"));
}

struct page_summary {
  wall_time last_at{};
  std::uint64_t events = 0;
  std::uint64_t errors = 0;
  std::uint64_t failed_requests = 0;
  std::shared_ptr<const page_metrics> metrics;
};

tool_result pages_result(const observe_call& call, const store_page& page) {
  std::map<std::string, page_summary> by_page;
  for (const auto& g : page.groups) {
    const auto& e = *g.newest;
    const bool request = e.source == event_source::network_bodies ||
                         e.source == event_source::network_waterfall ||
                         e.source == event_source::websocket_events;
    const auto& url = e.page.empty() && !request ? e.url : e.page;
    if (url.empty())
      continue;
    auto& summary = by_page[std::string{page_key(url.view())}];
    summary.last_at = std::max(summary.last_at, e.at);
    summary.events += g.count;
    summary.errors += e.source == event_source::logs && e.level == log_level::error ? g.count : 0;
    summary.failed_requests += is_failed_request(e) ? g.count : 0;
    if (!summary.metrics && e.metrics)
      summary.metrics = e.metrics;
  }
  std::vector<std::pair<std::string, page_summary>> pages{by_page.begin(), by_page.end()};
  std::sort(pages.begin(), pages.end(),
            [](const auto& a, const auto& b) { return a.second.last_at > b.second.last_at; });
  answer_builder answer{call};
  for (const auto& [url, summary] : pages) {
    std::string item;
    json_object_writer w{item};
    w.text("url", url).text("last_seen", to_iso8601(summary.last_at));
    w.number("events", summary.events).number("errors", summary.errors);
    w.number("failed_requests", summary.failed_requests);
    for (const auto& [metric, name] : enum_table<page_metric>::rows)
      if (summary.metrics && (*summary.metrics)[metric])
        w.decimal(name, *(*summary.metrics)[metric]);
    w.close();
    if (!answer.add(std::move(item)))
      break;
  }
  if (pages.empty())
    return answer.finish(empty_sentence(call, page), 0, 0, page.noise_hidden);
  return answer.finish(counted(pages.size(), noun_of(observe_what::page)) +
                           ", the one seen last first. " + std::string{outside_text_label},
                       pages.size(), 0, 0);
}

struct band {
  page_metric metric;
  double good;
  double poor;
};

/// The public thresholds of web vitals; `load` has none.
constexpr band bands[] = {
    {page_metric::lcp, 2500, 4000}, {page_metric::fcp, 1800, 3000}, {page_metric::inp, 200, 500},
    {page_metric::ttfb, 800, 1800}, {page_metric::cls, 0.1, 0.25},
};

std::string_view rating(page_metric metric, double value) {
  for (const auto& b : bands)
    if (b.metric == metric)
      return value <= b.good ? "good" : value <= b.poor ? "needs improvement" : "poor";
  return "unrated";
}

/// One item a page load: the latest value of each metric, rated.
tool_result vitals_result(const observe_call& call, const store_page& page) {
  std::vector<std::pair<const event*, page_metrics>> loads; // newest first
  std::map<std::string, std::size_t> by_load;
  for (const auto& g : page.groups) {
    const auto& e = *g.newest;
    if (!e.metrics || !e.metrics->any())
      continue;
    const auto key = e.name.empty() ? std::to_string(e.sequence)
                                    : e.name.str() + "\n" + std::string{page_key(e.url.view())};
    const auto [known, added] = by_load.emplace(key, loads.size());
    if (added)
      loads.emplace_back(&e, page_metrics{});
    auto& metrics = loads[known->second].second;
    for (std::size_t i = 0; i < page_metric_count; ++i)
      if (!metrics.values[i])
        metrics.values[i] = e.metrics->values[i];
  }
  answer_builder answer{call};
  for (const auto& [e, metrics] : loads) {
    std::string item;
    json_object_writer w{item};
    w.text("url", e->url.view()).text("ts", to_iso8601(e->at));
    w.text("navigation_type", name_of(e->metrics->kind));
    for (const auto& [metric, name] : enum_table<page_metric>::rows) {
      if (!metrics[metric])
        continue;
      std::string rated;
      json_object_writer value{rated};
      value.decimal("value", *metrics[metric]).text("rating", rating(metric, *metrics[metric]));
      value.close();
      w.raw(name, rated);
    }
    w.close();
    if (!answer.add(std::move(item)))
      break;
  }
  if (loads.empty())
    return answer.finish(empty_sentence(call, page), 0, 0, 0);
  return answer.finish(counted(loads.size(), noun_of(observe_what::vitals)) +
                           ", newest first; milliseconds, CLS as a score. " +
                           std::string{outside_text_label},
                       loads.size(), page.next_cursor, 0);
}

} // namespace

result_or<observe_call> parse_observe(const nlohmann::json& arguments, const limits& limit,
                                      wall_time now) {
  tool_arguments args{arguments};
  observe_call call;
  auto& q = call.query;
  if (const auto what = args.choice<observe_what>("what"))
    q.what = *what;
  else
    args.fail("what is missing; use one of: " + all_names<observe_what>() + ".");
  q.url = args.text("url").value_or("");
  q.min_level = args.choice<log_level>("min_level");
  if (const auto n = args.integer("status_min", 0, 999))
    q.status_min = static_cast<int>(*n);
  read_since(args, q, now);
  read_cursor(args, q);
  q.include_noise = args.boolean("include_noise").value_or(false);
  q.limit = static_cast<std::uint64_t>(
      args.integer("limit", 1, static_cast<std::int64_t>(limit.result.max_items))
          .value_or(static_cast<std::int64_t>(limit.result.items)));
  q.max_bytes = static_cast<std::uint64_t>(
      args.integer("max_bytes", 1024, static_cast<std::int64_t>(limit.result.max_bytes))
          .value_or(static_cast<std::int64_t>(limit.result.bytes)));
  read_wait(args, call, limit);
  if (args.failed())
    return tl::unexpected(args.problem());
  call.ignored = args.unknown();
  return call;
}

tool_result observe_result(const observe_call& call, const store_page& page) {
  if (call.query.what == observe_what::page)
    return pages_result(call, page);
  if (call.query.what == observe_what::vitals)
    return vitals_result(call, page);
  answer_builder answer{call};
  auto next = page.next_cursor;
  for (const auto& g : page.groups) {
    std::string item;
    append_group_json(item, g, call.query.what == observe_what::timeline);
    if (!answer.add(std::move(item))) {
      next = g.newest->sequence + 1;
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

shown_alerts observe_alerts_result(const observe_call& call, const alert_listing& listing) {
  const auto& items = listing.items;
  shown_alerts out;
  list_pager pager{call, items.size()};
  pager.add_while([&](std::size_t i) { return items[i].text; });
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].unread)
      continue;
    if (pager.shown(i))
      ++out.newly_read;
    else
      out.still_unread.push_back(items[i].id);
  }
  out.result = pager.finish(", " + std::to_string(out.newly_read) + " shown that are new to you");
  return out;
}

tool_result observe_ci_result(const observe_call& call, const nlohmann::json& results) {
  list_pager pager{call, results.size()};
  pager.add_while([&](std::size_t i) {
    return results[i].dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  });
  return pager.finish(", newest first");
}

} // namespace gasoline
