#pragma once

#include "actors/detection/fault/event_marks.hpp"
#include "config/limits.hpp"
#include "messages/alerts/alert.hpp"
#include "messages/telemetry/event.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

namespace gasoline {

/// What brings about what: of related faults the one with the lower rank leads, of equal ones the
/// earlier.
enum class causal_rank : std::uint8_t { build, policy, request, hydration, error, report, line };

/// A fault as far as it tells whether others have to do with it. Views hold for the call only.
struct fault_trace {
  causal_rank rank = causal_rank::error;
  bool noise = false; ///< no fault itself; what it brings about is none either
  telemetry_kind kind = telemetry_kind::log;
  std::int32_t status = -1;  ///< of a request; 0: no answer
  redacted_text page_id;     ///< the document, where its script says so
  redacted_text page_origin; ///< of the page; may be empty
  redacted_text request_id;  ///< within the document
  redacted_text error_id;    ///< within the document
  redacted_text trace_id;    ///< across programs; may be empty
  redacted_text address;     ///< of a request: host and path; of a failed build: its file
  redacted_text text;        ///< the first line, without what browsers put before it
  redacted_text place;       ///< function and file on top of the stack; may be empty
  redacted_text key;         ///< of its alert
  redacted_text title;       ///< of its alert
};

/// The trace of an event whose alert is `a`.
fault_trace trace_of(const event& e, const event_marks& marks, causal_rank rank, const alert& a);

/// Joins what one cause brings about within a moment, by page, request, error, stack and text: a
/// failed request and the rejection that it causes, a policy's violation and the load that it
/// refused, a build that failed and the modules that do not load. A failed request and what its
/// trace holds belong together for `cause_trace_ms`, in whatever program they happened. Remembers
/// the last `cause_entries` faults, so the cost of an event does not grow.
class cause_window {
 public:
  explicit cause_window(const limits::detection_limits& limit = {})
      : most_(limit.cause_entries),
        window_{limit.cause_ms},
        near_{limit.cause_near_ms},
        trace_{limit.cause_trace_ms} {}

  struct verdict {
    bool leads = true;
    bool is_noise = false;              ///< brought about by what is no fault
    bool is_new = true;                 ///< for one that does not lead: its first time here
    redacted_text lead;                 ///< key of the fault that leads, for one that does not
    std::vector<redacted_text> effects; ///< keys of faults that turn out to be its effects
    std::vector<redacted_text> also;    ///< their titles
  };

  /// The verdict about a fault whose key came up a moment ago; nothing for others. Cheap: for what
  /// repeats. `now` must not go backwards.
  std::optional<verdict> repeat(const redacted_text& key, telemetry_kind kind, mono_time now);

  /// Judges a fault that is no repeat, and remembers it.
  verdict judge(fault_trace fault, mono_time now);

  /// The key of the fault that a line of text belongs to; empty: none. Remembers nothing.
  redacted_text lead_of(const fault_trace& line, mono_time now) const;

  bool empty() const noexcept { return faults_.empty(); }

 private:
  struct remembered {
    fault_trace fault;
    redacted_text lead;
    std::size_t key_hash = 0;
    mono_time at{};
  };

  /// Whether a remembered fault may still have to do with one of that trace.
  bool is_recent(const remembered& r, const redacted_text& trace_id, mono_time now) const;
  void forget_old(mono_time now);
  const remembered* cause_of(const fault_trace& fault, mono_time now) const;
  void take_effects(const fault_trace& cause, mono_time now, verdict& out);

  std::size_t most_;
  std::chrono::milliseconds window_;
  std::chrono::milliseconds near_;  ///< for what only time and words join
  std::chrono::milliseconds trace_; ///< for faults of one trace
  std::deque<remembered> faults_;   ///< oldest first
};

} // namespace gasoline
