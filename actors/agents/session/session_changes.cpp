#include "actors/agents/session/session_changes.hpp"

#include <algorithm>
#include <string>

namespace gasoline::session_parts {
namespace {

using nlohmann::json;
using type = session_event_type;

double cost_in(const json& payload) {
  const auto it = payload.find("cost_usd");
  return it != payload.end() && it->is_number() ? it->get<double>() : 0;
}

void apply_resolution(session_summary& summary, const json& payload) {
  std::erase_if(summary.permissions, [&](const json& asked) {
    return asked.value("request_id", json()) == payload.value("request_id", json());
  });
  const auto tool = payload.value("tool", std::string{});
  const auto& grants = summary.grants;
  if (payload.value("decision", "") == name_of(permission_decision::allow_session) &&
      std::find(grants.begin(), grants.end(), tool) == grants.end())
    summary.grants.push_back(tool);
}

} // namespace

bool apply_event(session_summary& summary, const event_draft& draft) {
  switch (draft.type) {
  case type::turn_started:
    ++summary.turn_count;
    summary.current_turn_id = draft.turn_id;
    std::erase_if(summary.queue,
                  [&](const queued_turn& waiting) { return waiting.turn_id == draft.turn_id; });
    return true;
  case type::turn_queued:
    return true;
  case type::turn_completed:
  case type::turn_cancelled:
    // A turn that was still queued ends without having been current.
    if (summary.current_turn_id == draft.turn_id) {
      summary.current_turn_id = {};
      summary.permissions.clear();
    }
    return true;
  case type::permission_requested:
    summary.permissions.push_back(draft.payload);
    return true;
  case type::permission_resolved:
    apply_resolution(summary, draft.payload);
    return true;
  case type::llm_call_started:
    ++summary.model_calls;
    return true;
  case type::llm_call_completed:
  case type::llm_call_failed:
    summary.cost_so_far_usd += cost_in(draft.payload);
    return true;
  default:
    return false;
  }
}

} // namespace gasoline::session_parts
