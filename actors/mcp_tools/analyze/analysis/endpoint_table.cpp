#include "actors/mcp_tools/analyze/analysis/endpoint_table.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <string_view>
#include <type_traits>
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

/// Calls `add` with each event of that kind and the row that `make` has made, out of the first of
/// them and its words, for all of its method and address.
template <class Make, class Add>
void for_each_of(event_span events, telemetry_kind kind, request_wording& wording, Make make,
                 Add add) {
  using row = std::invoke_result_t<Make, const std::string&, const event&>;
  std::vector<std::optional<row>> rows; // by the number of method and address
  for (const auto* told : events) {
    if (told->kind != kind)
      continue;
    const auto& asked = wording.numbered(*told);
    if (asked.number >= rows.size())
      rows.resize(asked.number + 1);
    auto& found = rows[asked.number];
    if (!found)
      found = make(asked.words, *told);
    add(*found, *told);
  }
}

endpoint_table endpoints_of(event_span events, telemetry_kind kind) {
  endpoint_table out;
  request_wording wording;
  std::map<std::string_view, recent_requests> recent;
  // Methods that are one in the words may be written in two ways.
  std::map<std::pair<std::string_view, std::string_view>, asked_address> addresses;
  for_each_of(
      events, kind, wording,
      [&](const std::string& words, const event& e) {
        return endpoint_row{&out[words], &recent[words],
                            &addresses[{std::string_view{words}, e.url.view()}]};
      },
      add_request);
  return out;
}

endpoint_durations durations_of(event_span events, telemetry_kind kind, request_wording& wording) {
  endpoint_durations out;
  for_each_of(
      events, kind, wording, [&](const std::string& words, const event&) { return &out[words]; },
      [](std::vector<double>* durations, const event& e) {
        if (e.duration_ms >= 0)
          durations->push_back(e.duration_ms);
      });
  return out;
}

/// The browser's own timings count only for places of which no request was captured.
template <class Table>
Table captured_before_timed(Table captured, Table timed) {
  captured.merge(timed); // what is there already stays
  return captured;
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
  auto out = captured_before_timed(endpoints_of(events, telemetry_kind::body),
                                   endpoints_of(events, telemetry_kind::request));
  for (auto& [words, e] : out)
    std::sort(e.durations.begin(), e.durations.end());
  return out;
}

endpoint_durations durations_in(event_span events, request_wording& wording) {
  return captured_before_timed(durations_of(events, telemetry_kind::body, wording),
                               durations_of(events, telemetry_kind::request, wording));
}

} // namespace gasoline
