#include "actors/agents/session/feed_position.hpp"

#include <algorithm>

namespace gasoline {
namespace {

bool ends_turn(session_event_type type) {
  return type == session_event_type::turn_completed || type == session_event_type::turn_cancelled;
}

} // namespace

std::list<feed_position::open_message>::iterator
feed_position::find(const agent_message_id& message_id) {
  return std::find_if(open_.begin(), open_.end(),
                      [&](const open_message& m) { return m.id == message_id; });
}

bool feed_position::is_open(const agent_message_id& message_id) const {
  return std::any_of(open_.begin(), open_.end(),
                     [&](const open_message& m) { return m.id == message_id; });
}

void feed_position::show(const session_event_ptr& e,
                         const std::shared_ptr<const session_summary>& summary) {
  if (e->type == session_event_type::message_start && !is_open(e->message_id))
    open_.push_back({e->message_id, e->session_id, e->turn_id, head_, summary, session_events{}});
  head_ = e->id;
  if (ends_turn(e->type)) {
    open_.remove_if([&](const open_message& m) { return m.turn_id == e->turn_id; });
    return;
  }
  if (e->message_id.empty())
    return;
  const auto it = find(e->message_id);
  if (it == open_.end())
    return;
  if (e->type == session_event_type::message_complete)
    open_.erase(it);
  else
    it->events.push_back(e);
}

attach_point feed_position::attach(bool with_workers, const session_summary& summary) const {
  attach_point point;
  point.summary = summary;
  point.head = head_;
  point.snapshot = head_;
  for (const auto& m : open_) {
    if (!with_workers && m.session_id != session_id_)
      continue;
    if (point.open.empty()) {
      point.snapshot = m.before;
      point.summary = *m.summary;
    }
    point.open.insert(point.open.end(), m.events.begin(), m.events.end());
  }
  std::sort(point.open.begin(), point.open.end(),
            [](const session_event_ptr& a, const session_event_ptr& b) { return a->id < b->id; });
  return point;
}

} // namespace gasoline
