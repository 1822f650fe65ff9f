#pragma once

#include "actors/ingest/decoding/field_list.hpp"
#include "actors/ingest/decoding/ingest_format.hpp"

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gasoline {

/// What a known key of an entry fills. Keys that are not in a table go to `fields`.
enum class slot : std::uint8_t {
  time,
  level,
  type,
  name,
  message,
  format,           ///< of the message that `args` makes
  arguments,        ///< make the message when there is none, and stay in `fields`
  fallback_message, ///< becomes the message when there is none, and stays in `fields`
  url,
  page,
  stack,
  status,
  duration,
  count,
  metric,
  metrics_object,
  navigation,
  hot_updates,
  build,
  echo,
  visit,
  origin,
  service
};

struct key_slot {
  std::string_view key;
  slot target;
};

/// One event in the making.
struct entry_draft {
  raw_event event;
  page_metrics metrics;
  std::string fallback; ///< the message of an entry that has none of its own
  bool level_given = false;
  bool type_given = false;
  bool restored = false; ///< shown again from the back-forward cache
};

/// How the entries of one format are laid out.
struct entry_shape {
  telemetry_kind kind;
  std::string_view list; ///< the array that holds the entries
  std::span<const key_slot> keys;
  /// Completes the event; the sentence says why the entry is refused.
  std::optional<std::string> (*finish)(entry_draft& draft);
};

/// In ASCII.
std::string lower_case(std::string_view text);

/// Builds one event out of one JSON object. What it is given outlives it.
class entry_reader {
 public:
  entry_reader(const entry_shape& shape, const decode_context& context);

  /// Takes one measurement; values that mean nothing are left out.
  void set_metric(std::string_view key, const simdjson::dom::element& value);

  /// The event, or the sentence that says why the entry is refused. Called once.
  result_or<raw_event> read(const simdjson::dom::element& entry);

 private:
  using element = simdjson::dom::element;

  bool take(std::string_view key, const element& value);
  bool fill(slot target, std::string_view key, const element& value);
  bool take_time(std::string_view key, const element& value);
  bool take_level(const element& value);
  bool take_type(const element& value);
  bool take_status(const element& value);
  void take_duration(const element& value);
  void take_count(const element& value);
  void take_navigation(const std::string& name);
  void take_metric(std::string_view key, const element& value);
  void take_metrics(std::string_view key, const element& value);
  void take_arguments(const element& values);
  std::string text_in(const element& value, std::uint64_t bytes) const;
  std::string address_in(const element& value) const;
  result_or<raw_event> finish();

  const entry_shape& shape_;
  const limits::entry_limits& limit_;
  const text_cutter& cutter_;
  entry_draft draft_;
  field_list fields_;
  std::string format_;
  std::optional<element> arguments_;
  std::string problem_;
};

} // namespace gasoline
