#include "actors/mcp_tools/analyze/analysis/endpoint_table.hpp"

#include "actors/resolution/deed_words.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <set>
#include <string_view>
#include <vector>

namespace gasoline {
namespace {

/// Requests that come so close together were asked for by one piece of code.
constexpr std::chrono::milliseconds burst_window{1'000};

struct asked_url {
  wall_time at{};
  std::string_view url;
};

/// The requests of the last second of one endpoint.
struct recent_requests {
  std::deque<asked_url> asked;
  std::map<std::string_view, std::uint64_t> by_url;

  void forget_before(wall_time at) {
    while (!asked.empty() && asked.front().at < at) {
      const auto known = by_url.find(asked.front().url);
      if (--known->second == 0)
        by_url.erase(known);
      asked.pop_front();
    }
  }
};

void count_burst(endpoint& e, recent_requests& recent, asked_url now) {
  recent.forget_before(now.at - burst_window);
  // A page of the past second holds few requests; an endless stream of them is cut.
  constexpr std::size_t most_recent = 200;
  if (recent.asked.size() >= most_recent)
    return;
  recent.asked.push_back(now);
  e.repeat = std::max(e.repeat, ++recent.by_url[now.url]);
  e.burst = std::max<std::uint64_t>(e.burst, recent.by_url.size());
}

void add_request(endpoint& e, recent_requests& recent, const event& request) {
  e.count += request.count;
  if (request.status >= 0)
    e.statuses[request.status] += request.count;
  if (request.duration_ms >= 0)
    e.durations.push_back(request.duration_ms);
  count_burst(e, recent, {request.at, request.url.view()});
}

/// Where the requests of one wording are counted.
struct endpoint_row {
  endpoint* counts = nullptr;
  recent_requests* recent = nullptr;
};

void add_kind(endpoint_table& out, event_span events, telemetry_kind kind) {
  request_wording wording;
  std::map<std::string_view, recent_requests> recent;
  std::vector<endpoint_row> rows; // by the number of method and address
  for (const auto* told : events) {
    if (told->kind != kind)
      continue;
    const auto& asked = wording.numbered(*told);
    if (asked.number == rows.size())
      rows.push_back({&out[asked.words], &recent[asked.words]});
    auto& row = rows[asked.number];
    add_request(*row.counts, *row.recent, *told);
  }
}

} // namespace

std::optional<double> duration_at(const endpoint& e, double part) {
  if (e.durations.empty())
    return std::nullopt;
  const auto last = static_cast<double>(e.durations.size() - 1);
  return e.durations[static_cast<std::size_t>(std::lround(last * part))];
}

std::uint64_t failures_of(const endpoint& e) {
  std::uint64_t out = 0;
  for (const auto& [status, count] : e.statuses)
    out += status == 0 || status >= 400 ? count : 0;
  return out;
}

endpoint_table endpoints_in(event_span events) {
  endpoint_table out;
  add_kind(out, events, telemetry_kind::body);
  endpoint_table timed;
  add_kind(timed, events, telemetry_kind::request);
  out.merge(timed); // what is there already stays
  for (auto& [words, e] : out)
    std::sort(e.durations.begin(), e.durations.end());
  return out;
}

} // namespace gasoline
