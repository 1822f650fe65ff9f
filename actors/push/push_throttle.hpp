#pragma once

#include "actors/push/dedup_cache.hpp"
#include "actors/push/rate_window.hpp"
#include "config/limits.hpp"
#include "messages/alerts/merged_alert.hpp"
#include "messages/alerts/push_config.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What one client is pushed and when: filter, dedup, throttle, batch, rate cap. Knows no clock and
/// writes nothing: time comes in, decisions go out. `now` must not go backwards between calls.
///
/// The end of a fault is told to whoever was told of the fault, whatever `severity_min` says, and
/// makes a return of the fault news again. An update changes what waits and is else of no concern.
///
/// Every alert but updates that is offered while enabled ends in exactly one place: written as a
/// member of a notification, `deduplicated`, `suppressed_by`, `dropped`, still `pending`, or
/// `pending_cleared` in the answer to `disable`.
class push_throttle {
 public:
  explicit push_throttle(const limits_of<push_room>& limit = {});

  /// What the caller has to do now.
  struct decision {
    /// Members of the one notification to write, the worst first; empty: write nothing.
    std::vector<merged_alert> emit;
    /// When `due` has to be called; nothing: no timer is needed.
    std::optional<mono_time> wake_at;
  };

  /// An alert was raised.
  decision offer(const alert_ptr& a, mono_time now);

  /// The time of an earlier `wake_at` has come.
  decision due(mono_time now);

  /// Turns streaming on. On a stream that is on already this replaces the configuration and starts
  /// the counters anew, but keeps what the client was told (dedup, last emission) and the pending
  /// alerts that the new filters let through; the others count as suppressed.
  decision enable(push_config config, mono_time now);

  /// Turns streaming off; everything is forgotten but the rate cap's window. The answer tells how
  /// many pending alerts were cleared.
  push_status disable();

  /// Back to the beginning but for the rate cap's window and whether the client reads.
  void reset();

  /// What `logging/setLevel` lets through; applies to pending alerts too, and outlives `disable`.
  decision set_level(level_floor level, mono_time now);

  /// While the client does not read, alerts wait in the pending batch.
  decision set_congested(bool congested, mono_time now);

  push_status status() const;

 private:
  struct pending_alert {
    merged_alert alert;
    std::string key;
  };

  /// The name of the first filter that holds the alert back; empty: it passes.
  std::string_view held_back_by(const alert& a) const;
  /// Whether the client was told of the fault whose end this is, or is about to be.
  bool is_awaited_end(const alert& a) const;
  std::vector<pending_alert>::iterator pending_twin(std::string_view key);
  /// Whether the alert that is updated waits to be told.
  bool update_pending(const alert_ptr& a);
  /// Takes the effects of this alert out of the batch; answers whether one of them was told.
  bool take_effects(const alert& cause, mono_time now);
  /// The fault is back before its end was told: then there is nothing to tell.
  void drop_untold_end(const std::string& key);
  void erase_pending(std::vector<pending_alert>::iterator one);
  /// Makes room for a worse alert; false when nothing pending is less severe.
  bool drop_less_severe(const alert& a);
  void find_head();
  /// Whether the client knows of it already, or will with the pending batch.
  bool is_repeat(const std::string& key, const alert_ptr& a, mono_time now);
  void add_pending(std::string key, const alert_ptr& a);
  void shed_contexts(std::size_t changed);
  void refilter_pending();
  void clear_counters();
  mono_time earliest_emission(mono_time now) const;
  decision next_step(mono_time now);
  std::vector<merged_alert> take_pending(mono_time now);

  limits_of<push_room> limit_;
  push_config config_;
  level_floor level_ = level_floor::info;
  bool congested_ = false;
  std::vector<pending_alert> pending_; ///< oldest first
  std::size_t head_ = 0; ///< the pending alert that a batch tells in full: the first of the worst
  dedup_cache told_;     ///< within the dedup window
  dedup_cache told_faults_; ///< since `enable`: whose end the client wants to hear of
  rate_window rate_;
  std::optional<mono_time> last_emission_;
  std::uint64_t notify_count_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t deduplicated_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> suppressed_by_;
};

} // namespace gasoline
