#pragma once

#include "actors/redaction/redaction_engine.hpp"
#include "actors/redaction/rules/mask_log.hpp"
#include "messages/actors.hpp"

#include <cstdint>

namespace gasoline {

struct redactor_state {
  static inline const char* name = "redactor";

  std::uint64_t events = 0;
  redaction::mask_log masks; ///< what was masked since the start, by rule
};

/// Applies `engine` to each batch and passes it to `next`.
redactor_actor::behavior_type redactor(redactor_actor::stateful_pointer<redactor_state> self,
                                       const noise_filter_actor& next,
                                       const std::shared_ptr<const redaction_engine>& engine);

} // namespace gasoline
