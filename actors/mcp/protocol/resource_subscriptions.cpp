#include "actors/mcp/protocol/resource_subscriptions.hpp"

#include <algorithm>
#include <iterator>

namespace gasoline {
namespace {

struct part_row {
  watched_part part;
  std::string_view uri;
};

constexpr part_row parts[] = {
    {watched_part::errors, "gasoline://errors"},
    {watched_part::ci, "gasoline://ci"},
    {watched_part::telemetry, "gasoline://health"},
};

} // namespace

bool resource_subscriptions::subscribe(std::string uri) {
  if (subscribed_.count(uri) == 0 && subscribed_.size() >= limit_.client.subscriptions)
    return false;
  subscribed_.insert(std::move(uri));
  return true;
}

void resource_subscriptions::unsubscribe(const std::string& uri) {
  subscribed_.erase(uri);
}

std::optional<std::uint64_t> resource_subscriptions::listen(listen_filter filter) {
  if (listens_.size() >= limit_.client.listens)
    return std::nullopt;
  listens_.emplace(++last_listen_, std::move(filter));
  return last_listen_;
}

void resource_subscriptions::end_listen(std::uint64_t listen) {
  listens_.erase(listen);
}

bool resource_subscriptions::wants(const std::string& uri) const {
  return is_subscribed(uri) || std::any_of(listens_.begin(), listens_.end(), [&](const auto& row) {
           return row.second.uris.count(uri) > 0;
         });
}

std::vector<std::uint64_t> resource_subscriptions::listens_for(const std::string& uri) const {
  std::vector<std::uint64_t> out;
  for (const auto& [listen, filter] : listens_)
    if (filter.uris.count(uri) > 0)
      out.push_back(listen);
  return out;
}

std::vector<std::uint64_t> resource_subscriptions::listens_for(listed_kind kind) const {
  std::vector<std::uint64_t> out;
  for (const auto& [listen, filter] : listens_)
    if (filter.lists.count(kind) > 0)
      out.push_back(listen);
  return out;
}

resource_subscriptions::decision resource_subscriptions::changed(const std::string& uri,
                                                                 mono_time now) {
  if (!wants(uri))
    return next({});
  const auto known = told_.find(uri);
  if (congested_) {
    // A resource that was never told of is due at once.
    auto& state = known == told_.end() ? told_[uri] = {now - window(), true} : known->second;
    state.waiting = true;
    return next({});
  }
  if (known == told_.end() || now - known->second.last >= window()) {
    told_[uri] = {now, false};
    return next({uri});
  }
  known->second.waiting = true;
  return next({});
}

resource_subscriptions::decision resource_subscriptions::set_congested(bool congested,
                                                                       mono_time now) {
  congested_ = congested;
  return due(now);
}

resource_subscriptions::decision resource_subscriptions::due(mono_time now) {
  std::vector<std::string> tell;
  if (congested_)
    return next({});
  for (auto it = told_.begin(); it != told_.end();) {
    auto& [uri, state] = *it;
    if (now - state.last < window()) {
      ++it;
      continue;
    }
    if (!state.waiting || !wants(uri)) {
      it = told_.erase(it);
      continue;
    }
    tell.push_back(uri);
    state = {now, false};
    ++it;
  }
  return next(std::move(tell));
}

resource_subscriptions::decision resource_subscriptions::next(std::vector<std::string> tell) const {
  decision out;
  out.tell = std::move(tell);
  for (const auto& [uri, state] : told_)
    if (!congested_ && state.waiting && (!out.wake_at || state.last + window() < *out.wake_at))
      out.wake_at = state.last + window();
  return out;
}

std::optional<watched_part> part_behind(std::string_view uri) {
  const auto* row = std::find_if(std::begin(parts), std::end(parts),
                                 [&](const part_row& r) { return r.uri == uri; });
  return row == std::end(parts) ? std::nullopt : std::optional{row->part};
}

std::string_view resource_behind(watched_part part) {
  const auto* row = std::find_if(std::begin(parts), std::end(parts),
                                 [&](const part_row& r) { return r.part == part; });
  return row->uri;
}

} // namespace gasoline
