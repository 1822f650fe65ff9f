#pragma once

#include "actors/base/worker_pool.hpp"
#include "actors/ingest/circuit_breaker.hpp"
#include "actors/ingest/decoding/body_decoder.hpp"
#include "actors/ingest/sender_log.hpp"
#include "messages/actors.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gasoline {

struct ingest_state {
  static inline const char* name = "ingest";

  /// What of a large POST is still to be sent on: as much at a time as sockets and timers can wait
  /// for.
  struct rest_of_post {
    std::vector<raw_event> events;
    std::size_t next = 0; ///< the first that was not sent on
    std::string origin;
    ticket_ptr ticket; ///< of the whole POST
  };

  /// A POST that is being decoded, or whose entries are still being handled downstream.
  struct pending_post {
    std::uint64_t bytes = 0;
    mono_time received{};
  };

  std::optional<body_decoder> decoder;
  std::optional<circuit_breaker> breaker;
  std::map<std::uint64_t, pending_post> pending; ///< by number, so the first is the oldest
  std::map<std::uint64_t, rest_of_post> rests;   ///< by the same number
  std::set<std::uint64_t> slices_under_way;      ///< the POSTs that they are of
  worker_pool workers;
  std::uint64_t last_number = 0;
  std::uint64_t backlog_bytes = 0;
  bool watching = false; ///< a tick is on its way
  memory_pressure pressure = memory_pressure::normal;
  std::uint32_t retry_after_seconds = 0; ///< told with what is refused for now
  std::uint64_t entries = 0;
  std::uint64_t counted_only = 0; ///< taken, and not kept: spans without fault, metrics
  std::uint64_t set_apart = 0;    ///< what coding agents tell of themselves
  std::uint64_t refused_entries = 0;
  std::uint64_t refused_posts = 0;
  std::optional<sender_log> senders;
};

/// Decodes POST bodies and passes their entries to `next`; alerts about the breaker go to `hub`.
/// `redaction` masks texts that are cut here; `secrets` are those of webhooks. Large bodies are
/// decoded by at most `workers` others, each on a thread of its own.
ingest_actor::behavior_type ingest(ingest_actor::stateful_pointer<ingest_state> self,
                                   const redactor_actor& next, const alert_hub_actor& hub,
                                   const wall_clock& clock, const decode_limits& limit,
                                   std::shared_ptr<const redaction_engine> redaction,
                                   hook_secrets secrets, std::size_t workers);

} // namespace gasoline
