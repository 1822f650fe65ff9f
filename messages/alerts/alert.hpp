#pragma once

#include "messages/alerts/alert_taxonomy.hpp"
#include "messages/base/redacted_text.hpp"
#include "messages/base/time.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// The request that an alert is about.
struct alert_context {
  redacted_text method;
  redacted_text url;
  std::int32_t status = -1; ///< 0: no answer
  double duration_ms = -1;  ///< negative: unknown
  redacted_text headers;    ///< the inside of a JSON object; empty: none were captured
};

/// The CI run that an alert is about.
struct alert_ci {
  redacted_text source;
  redacted_text ref; ///< the branch, as the system names it
};

/// Something the agent should know. Detectors fill it; the alert hub adds `id`, `recurrence` and
/// `regressed`.
struct alert {
  std::uint64_t id = 0; ///< rising; shown as `alert_N`
  severity level = severity::info;
  alert_category category = alert_category::anomaly;
  alert_topic kind = alert_topic::errors;
  bool page_data = false; ///< title or detail hold text that a page wrote
  /// Says anew what an alert with this key said, and is no occurrence of its own: whoever still has
  /// that alert to tell tells this. Without a title it only adds evidence.
  bool update = false;
  std::uint32_t count = 1;
  std::uint32_t recurrence = 0; ///< earlier alerts with this key since start
  std::uint32_t regressed = 0;  ///< how often the fault has come back after it was resolved, when
                                ///< it is back with this alert
  bool resolved = false;        ///< the fault that this alert ends was tried again and stayed away
  redacted_text title;
  redacted_text detail;
  redacted_text source;    ///< the detector: `anomaly_detector`, `ci_webhook`, …
  redacted_text dedup_key; ///< normalised key; empty: `category:title`
  redacted_text correlation_id;
  redacted_text url;     ///< the request's URL, else the page's; may be empty
  redacted_text page;    ///< the page that it happened on, where known
  redacted_text service; ///< what the program calls itself that it happened in; may be empty
  std::uint32_t pid = 0; ///< of that program, on this machine; 0: not known
  redacted_text next;    ///< the tool call that shows more; may be empty
  redacted_text ends;    ///< key of the fault that is over with this alert; whoever was told of the
                         ///< fault is told of its end
  std::vector<redacted_text> effects; ///< keys of alerts that turned out to be effects of this one
  std::vector<redacted_text> also;    ///< evidence: what else the same cause brought about
  std::optional<alert_context> context;
  std::optional<alert_ci> ci;
  wall_time at{};
  mono_time raised{}; ///< when the detector decided, on the actor clock
};

using alert_ptr = std::shared_ptr<const alert>;

/// The key that merges repeats: the detector's, else the literal `category:title`.
std::string merge_key(const alert& a);

/// The key of the alert that tells the end of the fault with `key`: `end:` and that key.
redacted_text ending_key(const redacted_text& key);

/// Adds lines of evidence that are not there yet, up to `most`.
void add_evidence(std::vector<redacted_text>& also, const std::vector<redacted_text>& more,
                  std::size_t most);

/// `alert_N`.
std::string id_text(const alert& a);

} // namespace gasoline
