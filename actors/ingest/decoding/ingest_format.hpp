#pragma once

#include "actors/ingest/decoding/json_body.hpp"
#include "actors/ingest/decoding/recent_ids.hpp"
#include "actors/ingest/decoding/text_cutter.hpp"
#include "config/settings.hpp"
#include "messages/telemetry/ingest.hpp"
#include "messages/telemetry/ingest_route.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// One refused entry of a body.
struct entry_error {
  std::uint64_t index = 0;
  std::string message;
};

/// What one body held, of any mix of kinds.
struct decoded_body {
  std::vector<raw_event> events;
  std::uint64_t received = 0;
  std::uint64_t rejected = 0;
  std::uint64_t counted_only = 0;  ///< taken, and of no use to anybody
  std::uint64_t set_apart = 0;     ///< taken, and not kept: what coding agents tell of themselves
  std::vector<entry_error> errors; ///< the first `entry_errors_listed` refusals
  std::uint16_t refused = 0;       ///< status of a refusal as a whole; the remark says why
  std::string remark{};            ///< a sentence for the sender about what was taken; may be empty
  std::string id{};                ///< of the body, where its sender gave it one
};

/// The limits that decoding is given.
using decode_limits = limits_of<detection_room, entry_room, ingest_room>;

/// What a format decodes with. Everything belongs to the caller and outlives the call.
struct decode_context {
  const decode_limits& limit;
  const text_cutter& cutter; ///< shortens what is too long, and masks it before
  json_body& json;
  wall_time now; ///< labels what carries no time
  const ingest_head& head;
  recent_ids& seen;            ///< of what may be sent twice, over all bodies
  const hook_secrets& secrets; ///< of webhooks, by the system's name
};

/// How entries of a format are written down again, in recordings.
struct recorded_form {
  telemetry_kind kind;   ///< of the events that are recorded in it
  std::string_view list; ///< the member that holds the entries; empty: one bare object a body
};

/// One wire format: where its bodies come in, how they become events, and how they are answered. A
/// row of `format_table`; nothing else knows how many there are.
struct ingest_format {
  ingest_route route;

  /// Decodes a body, which it may overwrite; the error refuses the body as a whole.
  result_or<decoded_body> (*decode)(std::string& body, const decode_context& context);

  /// Tells the sender what came of it, in the shape that this sender knows.
  ingest_answer (*answer)(const decoded_body& body, const ingest_head& head);

  /// Nothing: recordings hold what came in it in the form of other formats.
  std::optional<recorded_form> recorded;

  /// Why bodies are refused while memory pressure is hard; empty: they are not.
  std::string_view shed_sentence;

  /// Whether decoding asks what came before (`decode_context::seen`), so that bodies are decoded
  /// one after the other. Others are decoded beside each other when they are large.
  bool in_turn = false;
};

} // namespace gasoline
