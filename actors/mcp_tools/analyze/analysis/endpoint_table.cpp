#include "actors/mcp_tools/analyze/analysis/endpoint_table.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

/// Requests that come so close together were asked for by one piece of code.
constexpr std::chrono::milliseconds burst_window{1'000};

/// One address of an endpoint.
struct asked_address {
  std::uint64_t recently = 0; ///< how often it was asked within the last second
};

/// The requests of the last second of one endpoint.
struct recent_requests {
  struct asked {
    wall_time at{};
    asked_address* address = nullptr;
  };

  std::deque<asked> all;
  std::uint64_t addresses = 0; ///< how many different ones they are of

  void forget_before(wall_time at) {
    for (; !all.empty() && all.front().at < at; all.pop_front())
      addresses -= --all.front().address->recently == 0 ? 1 : 0;
  }

  void add(wall_time at, asked_address& address) {
    all.push_back({at, &address});
    addresses += ++address.recently == 1 ? 1 : 0;
  }
};

/// Where the requests of one method and address are counted.
struct endpoint_row {
  endpoint* counts = nullptr;
  recent_requests* recent = nullptr;
  asked_address* address = nullptr;
};

void count_burst(const endpoint_row& row, wall_time now) {
  auto& recent = *row.recent;
  recent.forget_before(now - burst_window);
  // A page of the past second holds few requests; an endless stream of them is cut.
  constexpr std::size_t most_recent = 200;
  if (recent.all.size() >= most_recent)
    return;
  recent.add(now, *row.address);
  row.counts->repeat = std::max(row.counts->repeat, row.address->recently);
  row.counts->burst = std::max(row.counts->burst, recent.addresses);
}

void add_request(const endpoint_row& row, const event& request) {
  auto& e = *row.counts;
  e.count += request.count;
  if (request.status >= 0)
    e.statuses[request.status] += request.count;
  if (request.duration_ms >= 0)
    e.durations.push_back(request.duration_ms);
  count_burst(row, request.at);
}

void add_kind(endpoint_table& out, event_span events, telemetry_kind kind) {
  request_wording wording;
  std::map<std::string_view, recent_requests> recent;
  // Methods that are one in the words may be written in two ways.
  std::map<std::pair<std::string_view, std::string_view>, asked_address> addresses;
  std::vector<endpoint_row> rows; // by the number of method and address
  for (const auto* told : events) {
    if (told->kind != kind)
      continue;
    const auto& asked = wording.numbered(*told);
    if (asked.number == rows.size())
      rows.push_back({&out[asked.words], &recent[asked.words],
                      &addresses[{std::string_view{asked.words}, told->url.view()}]});
    add_request(rows[asked.number], *told);
  }
}

void add_durations(endpoint_durations& out, event_span events, telemetry_kind kind,
                   request_wording& wording) {
  std::vector<std::vector<double>*> rows; // by the number of method and address
  for (const auto* told : events) {
    if (told->kind != kind)
      continue;
    const auto& asked = wording.numbered(*told);
    if (asked.number >= rows.size())
      rows.resize(asked.number + 1);
    auto& row = rows[asked.number];
    if (!row)
      row = &out[asked.words];
    if (told->duration_ms >= 0)
      row->push_back(told->duration_ms);
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

endpoint_durations durations_in(event_span events, request_wording& wording) {
  endpoint_durations out;
  add_durations(out, events, telemetry_kind::body, wording);
  endpoint_durations timed;
  add_durations(timed, events, telemetry_kind::request, wording);
  out.merge(timed); // what is there already stays
  return out;
}

} // namespace gasoline
