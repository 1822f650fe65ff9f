#include "actors/streams/stream_waits.hpp"

#include <utility>

namespace gasoline {

void stream_waits::run_held() {
  for (auto& command : std::exchange(held_, {}))
    command.run();
}

void stream_waits::refuse_held() {
  for (auto& command : std::exchange(held_, {}))
    if (command.refuse)
      command.refuse(problem);
    else
      held_.push_back(std::move(command));
}

void stream_waits::until(const std::string& stream, std::uint64_t id, action then) {
  by_stream_[stream].emplace(id, std::move(then));
}

void stream_waits::reached(const std::string& stream, std::uint64_t id) {
  if (const auto known = expected_.find(stream); known != expected_.end() && known->second <= id)
    expected_.erase(known);
  const auto found = by_stream_.find(stream);
  if (found == by_stream_.end())
    return;
  std::vector<action> due;
  auto& waiting = found->second;
  const auto end = waiting.upper_bound(id);
  for (auto it = waiting.begin(); it != end; ++it)
    due.push_back(std::move(it->second));
  waiting.erase(waiting.begin(), end);
  if (waiting.empty())
    by_stream_.erase(found);
  for (const auto& then : due)
    then();
}

void stream_waits::gone(const std::string& stream) {
  expected_.erase(stream);
  auto node = by_stream_.extract(stream);
  if (node.empty())
    return;
  for (const auto& [id, then] : node.mapped())
    then();
}

std::uint64_t stream_waits::expected(const std::string& stream) const {
  const auto found = expected_.find(stream);
  return found == expected_.end() ? 0 : found->second;
}

} // namespace gasoline
