#include "transport/http/traffic/arrival_log.hpp"

#include <algorithm>

namespace gasoline {
namespace {

constexpr std::size_t refusals_kept = 5;
constexpr std::size_t origin_bytes = 200;
constexpr std::size_t path_bytes = 200;
constexpr std::size_t body_bytes = 1024;

std::int64_t ms_between(arrival_log::time_point from, arrival_log::time_point to) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(to - from).count();
}

std::string reason_in(const std::string& body) {
  const auto document = nlohmann::json::parse(body, nullptr, false);
  return document.is_object() ? document.value("error", std::string{}) : std::string{};
}

} // namespace

void arrival_log::note_script_load(time_point now) {
  ++script_loads_;
  script_loaded_ = now;
}

void arrival_log::note_refusal(std::string_view origin, std::string_view path, std::uint16_t status,
                               std::string_view body, time_point now) {
  refusal next{std::string{origin.substr(0, origin_bytes)},
               std::string{path.substr(0, path_bytes)},
               status,
               std::string{body.size() <= body_bytes ? body : std::string_view{}},
               1,
               now};
  const auto known = std::find_if(refusals_.begin(), refusals_.end(), [&](const refusal& r) {
    return r.origin == next.origin && r.status == status;
  });
  if (known != refusals_.end()) {
    next.count += known->count;
    refusals_.erase(known);
  } else if (refusals_.size() == refusals_kept) {
    refusals_.erase(refusals_.begin());
  }
  refusals_.push_back(std::move(next));
}

nlohmann::json arrival_log::report(time_point now) const {
  nlohmann::json out{{"script_loads", script_loads_}, {"refused", nlohmann::json::array()}};
  if (script_loads_ > 0)
    out["script_loaded_ms_ago"] = ms_between(script_loaded_, now);
  for (auto r = refusals_.rbegin(); r != refusals_.rend(); ++r) {
    nlohmann::json row{{"path", r->path},
                       {"status", r->status},
                       {"reason", reason_in(r->body)},
                       {"count", r->count},
                       {"ms_ago", ms_between(r->last, now)}};
    if (!r->origin.empty())
      row["origin"] = r->origin;
    out["refused"].push_back(std::move(row));
  }
  return out;
}

} // namespace gasoline
