#include "actors/detection/socket_watch.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

using namespace std::chrono_literals;

constexpr auto one_try = 100ms;
constexpr std::uint32_t attempts_until_told = 3;

redacted_text with_failures(const redacted_text& title, std::uint64_t failures) {
  return failures < 2 ? title : redacted(title, literal{", "}, failures, literal{" failures"});
}

} // namespace

socket_watch::told socket_watch::lost(const redacted_text& address, alert a, std::uint32_t attempt,
                                      mono_time now) {
  auto s = find(address);
  if (s != sockets_.end() && now - s->last > std::chrono::milliseconds{limit_.socket_over_ms}) {
    sockets_.erase(s);
    s = sockets_.end();
  }
  if (s == sockets_.end()) {
    if (sockets_.size() >= limit_.socket_entries)
      sockets_.pop_back();
    sockets_.emplace_front();
    s = sockets_.begin();
    s->address = address;
    s->since = now;
  }
  sockets_.splice(sockets_.begin(), sockets_, s);
  // One try that fails is told by an error and by a close.
  if (s->failures == 0 || now - s->last >= one_try)
    s->failures += a.count;
  s->last = now;
  // The code of a lost connection says more than the error events of the tries that follow.
  if (s->waiting.title.empty())
    s->waiting = std::move(a);
  if (!s->told && attempt < attempts_until_told)
    return {};
  if (s->told && s->failures < 2 * s->shown)
    return {};
  return {tell(*s)};
}

socket_watch::told socket_watch::opened(const redacted_text& address, mono_time now) {
  const auto s = find(address);
  if (s == sockets_.end())
    return {};
  told out;
  if (s->told) {
    auto a = s->waiting;
    a.level = severity::info;
    a.count = 1;
    a.title = redacted(literal{"WebSocket connected again: "}, a.url).shortened(200);
    a.detail = redacted(literal{"After "}, s->failures, literal{" failures in "},
                        std::chrono::duration_cast<std::chrono::seconds>(now - s->since).count(),
                        literal{" s"});
    a.ends = a.dedup_key;
    a.dedup_key = ending_key(a.ends);
    out.push_back(std::move(a));
  }
  sockets_.erase(s);
  return out;
}

socket_watch::told socket_watch::due(mono_time now) {
  told out;
  for (auto& s : sockets_)
    if (!s.told && now - s.since >= patience())
      out.push_back(tell(s));
  return out;
}

std::optional<mono_time> socket_watch::next() const {
  std::optional<mono_time> out;
  for (const auto& s : sockets_)
    if (!s.told)
      out = out ? std::min(*out, s.since + patience()) : s.since + patience();
  return out;
}

socket_watch::sockets::iterator socket_watch::find(const redacted_text& address) {
  return std::find_if(sockets_.begin(), sockets_.end(),
                      [&](const socket& s) { return s.address == address; });
}

alert socket_watch::tell(socket& s) {
  auto a = s.waiting;
  a.update = s.told;
  a.count = 1;
  a.title = with_failures(a.title, s.failures);
  s.told = true;
  s.shown = s.failures;
  return a;
}

} // namespace gasoline
