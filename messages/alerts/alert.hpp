#pragma once

#include "messages/alerts/alert_taxonomy.hpp"
#include "messages/base/redacted_text.hpp"
#include "messages/base/time.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace gasoline {

/// The request that an alert is about.
struct alert_context {
  redacted_text method;
  redacted_text url;
  std::int32_t status = -1; ///< 0: no answer
  double duration_ms = -1;  ///< negative: unknown
  redacted_text headers;    ///< the inside of a JSON object; empty: none were captured
};

/// Something the agent should know. Detectors fill it; the alert hub adds `id` and `recurrence`.
struct alert {
  std::uint64_t id = 0; ///< rising; shown as `alert_N`
  severity level = severity::info;
  alert_category category = alert_category::anomaly;
  alert_topic kind = alert_topic::errors;
  bool page_data = false; ///< title or detail hold text that a page wrote
  std::uint32_t count = 1;
  std::uint32_t recurrence = 0; ///< earlier alerts with this key since start
  redacted_text title;
  redacted_text detail;
  redacted_text source;    ///< the detector: `anomaly_detector`, `ci_webhook`, …
  redacted_text dedup_key; ///< normalised key; empty: `category:title`
  redacted_text correlation_id;
  redacted_text url;  ///< the request's URL, else the page's; may be empty
  redacted_text next; ///< the tool call that shows more; may be empty
  std::optional<alert_context> context;
  wall_time at{};
  mono_time raised{}; ///< when the detector decided, on the actor clock
};

using alert_ptr = std::shared_ptr<const alert>;

/// The key that merges repeats: the detector's, else the literal `category:title`.
std::string merge_key(const alert& a);

/// `alert_N`.
std::string id_text(const alert& a);

} // namespace gasoline
