#pragma once

#include "actors/resolution/commit_log.hpp"
#include "actors/resolution/known_documents.hpp"
#include "config/limits.hpp"
#include "messages/actors.hpp"

#include <optional>

namespace gasoline {

struct mark_log_state {
  static inline const char* name = "mark_log";

  explicit mark_log_state(mark_log_actor::pointer) {}

  telemetry_marks named; ///< the newest last
  telemetry_marks noted; ///< those set by themselves, the newest last
  known_documents documents;
  std::optional<commit_log> commits;
  wall_clock clock;
  std::uint64_t most = 0;
  std::uint64_t set = 0;
  std::uint64_t dropped = 0; ///< named ones that had to go
};

/// What it subscribes to.
inline constexpr telemetry_kinds mark_kinds{telemetry_kind::log, telemetry_kind::load,
                                            telemetry_kind::action, telemetry_kind::body};

/// Keeps points in time, for all clients; the oldest leave. Clients name some; builds that pass and
/// pages that are loaded again are noted as they come, commits are read when they are asked for.
mark_log_actor::behavior_type mark_log(mark_log_actor::stateful_pointer<mark_log_state> self,
                                       wall_clock clock,
                                       std::shared_ptr<const redaction_engine> redaction,
                                       const limits_of<store_room>& limit);

} // namespace gasoline
