#pragma once

#include "actors/base/worker_pool.hpp"
#include "actors/redaction/redaction_engine.hpp"
#include "actors/redaction/rules/mask_log.hpp"
#include "messages/actors.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace gasoline {

struct redactor_state {
  static inline const char* name = "redactor";

  std::uint64_t events = 0;
  redaction::mask_log masks; ///< what was masked since the start, by rule
  worker_pool workers;
  /// Of each page's origin of which a batch is with a worker: what came behind it, in order.
  std::map<std::string, std::deque<raw_batch_ptr>> behind;
};

/// Applies `engine` to each batch and passes it to `next`. A large batch is redacted by one of at
/// most `workers` others, each on a thread of its own; what comes from the same page keeps its
/// order.
redactor_actor::behavior_type redactor(redactor_actor::stateful_pointer<redactor_state> self,
                                       const noise_filter_actor& next,
                                       const std::shared_ptr<const redaction_engine>& engine,
                                       std::size_t workers);

} // namespace gasoline
