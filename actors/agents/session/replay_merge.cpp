#include "actors/agents/session/replay_merge.hpp"

namespace gasoline {

replay_merge::replay_merge(const session_events& open, const session_filter& filter,
                           const agent_session_id& session_id, const std::string& since) {
  for (const auto& e : open)
    if (e->id > since && filter.matches(*e, session_id))
      open_.push_back(e);
}

session_events replay_merge::next(const session_events& stored, bool last) {
  session_events out;
  for (const auto& e : stored) {
    while (at_ < open_.size() && open_[at_]->id < e->id)
      out.push_back(open_[at_++]);
    out.push_back(e);
  }
  while (last && at_ < open_.size())
    out.push_back(open_[at_++]);
  return out;
}

} // namespace gasoline
