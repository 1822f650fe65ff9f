#include "actors/telemetry/fault_runs.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

// Errors of the oldest run are looked at one by one, since some of it may be gone: it stays short.
constexpr std::uint64_t longest_run = 64;

bool is_of(const fault_run& run, const event& e) {
  const auto& last = *run.newest;
  return run.events < longest_run && last.noise == e.noise && last.fault == e.fault &&
         last.service == e.service && page_address(last) == page_address(e);
}

} // namespace

void fault_runs::push(const event_ptr& e) {
  const bool went_on = std::exchange(goes_on_, !e->fault.empty());
  if (!goes_on_)
    return;
  if (!went_on || runs_.empty() || !is_of(runs_.back(), *e)) {
    runs_.push_back({e, 1, e->count, e->at});
    return;
  }
  auto& run = runs_.back();
  run.newest = e;
  ++run.events;
  run.count += e->count;
  run.first_at = std::min(run.first_at, e->at);
}

void fault_runs::evict(const event& e) {
  if (!e.fault.empty() && --runs_.front().events == 0)
    runs_.pop_front();
}

} // namespace gasoline
