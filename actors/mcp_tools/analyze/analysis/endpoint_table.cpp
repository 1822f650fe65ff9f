#include "actors/mcp_tools/analyze/analysis/endpoint_table.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

/// Requests that come so close together were asked for by one piece of code.
constexpr std::chrono::milliseconds burst_window{1'000};

/// Room for the durations of an endpoint: to grow from one on takes most of what counting takes.
constexpr std::size_t usual_requests = 8;

/// One address of an endpoint.
struct asked_address {
  std::uint64_t recently = 0; ///< how often it was asked within the last second
};

/// The requests of the last second of one endpoint.
class recent_requests {
 public:
  std::size_t size() const { return all_.size() - first_; }
  /// How many different addresses they are of.
  std::uint64_t addresses() const { return addresses_; }

  void forget_before(wall_time at) {
    for (; first_ < all_.size() && all_[first_].at < at; ++first_)
      addresses_ -= --all_[first_].address->recently == 0 ? 1 : 0;
    if (first_ < all_.size())
      return;
    all_.clear();
    first_ = 0;
  }

  void add(wall_time at, asked_address& address) {
    if (all_.size() == all_.capacity() && first_ > 0) { // what is forgotten gives its room
      all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    all_.push_back({at, &address});
    addresses_ += ++address.recently == 1 ? 1 : 0;
  }

 private:
  struct asked {
    wall_time at{};
    asked_address* address = nullptr;
  };

  std::vector<asked> all_;
  std::size_t first_ = 0; ///< those before it are forgotten
  std::uint64_t addresses_ = 0;
};

/// An endpoint while its requests are counted.
struct counted_endpoint {
  endpoint counts;
  recent_requests recent;
};

void count_burst(counted_endpoint& row, asked_address& address, wall_time now) {
  auto& recent = row.recent;
  recent.forget_before(now - burst_window);
  // A page of the past second holds few requests; an endless stream of them is cut.
  constexpr std::size_t most_recent = 200;
  if (recent.size() >= most_recent)
    return;
  recent.add(now, address);
  row.counts.repeat = std::max(row.counts.repeat, address.recently);
  row.counts.burst = std::max(row.counts.burst, recent.addresses());
}

void add_request(counted_endpoint& row, asked_address& address, const event& request) {
  auto& e = row.counts;
  e.count += request.count;
  if (request.status >= 0)
    e.statuses[request.status] += request.count;
  if (request.duration_ms >= 0)
    e.durations.push_back(request.duration_ms);
  count_burst(row, address, request.at);
}

/// The addresses of all endpoints. Methods that are one in the words may be written in two ways, so
/// that one address has several numbers.
class asked_addresses {
 public:
  asked_address& of(const worded_request& asked, const event& e) {
    if (asked.number >= by_number_.size())
      by_number_.resize(asked.number + 1);
    auto& out = by_number_[asked.number];
    if (out == nullptr)
      out = &known_[{asked.endpoint, e.url.view()}];
    return *out;
  }

 private:
  using endpoint_and_address = std::pair<std::size_t, std::string_view>;

  struct hash {
    std::size_t operator()(const endpoint_and_address& key) const {
      return hash_with(hash_with(0, std::uint64_t{key.first}), key.second);
    }
  };

  std::unordered_map<endpoint_and_address, asked_address, hash> known_;
  std::vector<asked_address*> by_number_;
};

/// What requests of one kind ask of endpoints.
class asked_endpoints {
 public:
  void add(const worded_request& asked, const event& e) {
    if (asked.endpoint >= rows_.size())
      rows_.resize(asked.endpoint + 1);
    auto& row = rows_[asked.endpoint];
    if (!row) {
      row.emplace();
      row->counts.words = asked.words;
      row->counts.durations.reserve(usual_requests);
    }
    add_request(*row, addresses_.of(asked, e), e);
  }

  /// The endpoint with that number; null: there were none.
  endpoint* of(std::size_t number) {
    return number < rows_.size() && rows_[number] ? &rows_[number]->counts : nullptr;
  }

 private:
  std::vector<std::optional<counted_endpoint>> rows_; ///< by the number of the words
  asked_addresses addresses_;
};

/// How many entries of one method and address tell of a request that another one tells of, too.
struct told_twice {
  std::uint64_t captured = 0;
  std::uint64_t bare = 0; ///< timings without a status, which are of the captured ones first

  bool takes(const event& timing) {
    auto& left = timing.status < 0 ? bare : captured;
    if (left == 0)
      return false;
    --left;
    return true;
  }
};

/// The durations of one endpoint.
struct known_durations {
  bool captured = false;   ///< a request was
  std::vector<double> all; ///< of captured requests, where there are any
};

void add_duration(known_durations& row, const event& e) {
  const bool captures = e.kind == telemetry_kind::body;
  if (row.captured && !captures)
    return;
  if (captures && !row.captured) {
    row.captured = true;
    row.all.clear();
  }
  if (e.duration_ms >= 0)
    row.all.push_back(e.duration_ms);
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

event_refs requests_once(event_span events, request_wording& wording) {
  std::vector<told_twice> by_number; // of method and address
  const auto counted = [&](const event& e) -> told_twice& {
    const auto number = wording.numbered(e).number;
    if (number >= by_number.size())
      by_number.resize(number + 1);
    return by_number[number];
  };
  for (const auto* told : events) {
    if (told->kind == telemetry_kind::body)
      ++counted(*told).captured;
    else if (told->kind == telemetry_kind::request && told->status < 0)
      ++counted(*told).bare;
  }
  for (auto& row : by_number) {
    row.bare = std::min(row.bare, row.captured);
    row.captured -= row.bare;
  }
  event_refs out;
  for (const auto* told : events) {
    const bool is_timing = told->kind == telemetry_kind::request;
    if (told->kind == telemetry_kind::body || (is_timing && !counted(*told).takes(*told)))
      out.push_back(told);
  }
  return out;
}

std::vector<endpoint> endpoints_in(event_span events, request_wording& wording) {
  asked_endpoints asked;
  for (const auto* request : requests_once(events, wording))
    asked.add(wording.numbered(*request), *request);
  std::vector<endpoint> out;
  for (std::size_t number = 0; number < wording.endpoints().size(); ++number) {
    auto* known = asked.of(number);
    if (known == nullptr)
      continue;
    std::sort(known->durations.begin(), known->durations.end());
    out.push_back(std::move(*known));
  }
  return out;
}

std::vector<std::vector<double>> durations_in(event_span events, request_wording& wording) {
  std::vector<known_durations> rows;
  for (const auto* told : events) {
    if (told->kind != telemetry_kind::body && told->kind != telemetry_kind::request)
      continue;
    const auto number = wording.numbered(*told).endpoint;
    if (number >= rows.size())
      rows.resize(number + 1);
    auto& row = rows[number];
    if (row.all.capacity() == 0)
      row.all.reserve(usual_requests);
    add_duration(row, *told);
  }
  std::vector<std::vector<double>> out;
  out.reserve(rows.size());
  for (auto& row : rows)
    out.push_back(std::move(row.all));
  return out;
}

} // namespace gasoline
