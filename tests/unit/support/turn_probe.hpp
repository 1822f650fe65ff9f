#pragma once

#include "messages/agents/session_actors.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gasoline::test {

/// What a turn was told.
struct turn_notes {
  std::vector<provider_chunk> chunks;
  std::vector<tool_outcome> outcomes;

  /// The texts of the chunks of that kind, joined.
  std::string text(chunk_kind kind = chunk_kind::text) const {
    std::string out;
    for (const auto& chunk : chunks)
      if (chunk.kind == kind)
        out += chunk.text;
    return out;
  }

  bool ended() const {
    return !chunks.empty() &&
           (chunks.back().kind == chunk_kind::finished || chunks.back().kind == chunk_kind::failed);
  }
};

using turn_notes_ptr = std::shared_ptr<turn_notes>;

/// A turn that only takes notes.
inline turn_actor::behavior_type noting_turn(turn_actor::pointer, turn_notes_ptr notes) {
  return {
      [notes](chunk_atom, const provider_chunks& chunks) {
        notes->chunks.insert(notes->chunks.end(), chunks->begin(), chunks->end());
      },
      [notes](outcome_atom, const tool_outcome& outcome) { notes->outcomes.push_back(outcome); },
      [](emit_atom, const event_draft&) {},
      [](permit_atom, const std::string&, permission_decision) { return false; },
      [](cancel_atom, const std::string&) {},
  };
}

} // namespace gasoline::test
