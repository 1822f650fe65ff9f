#pragma once

#include "config/limits.hpp"
#include "messages/alerts/merged_alert.hpp"
#include "messages/alerts/shown_channel.hpp"
#include "messages/base/identity/reader_id.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace gasoline {

/// Which alert has been shown to which reader, by which way first, and when. An alert is named by
/// the id of its first occurrence, a fault by its merge key. Alerts that the buffer no longer keeps
/// are dropped; of faults each reader has the newest `alert_reader_faults`.
class shown_ledger {
 public:
  struct record {
    shown_channel by = shown_channel::block;
    mono_time at{};
  };

  using channel_counts = std::array<std::uint64_t, enum_table<shown_channel>::rows.size()>;

  explicit shown_ledger(const limits::alert_limits& limit = {})
      : most_faults_(limit.reader_faults) {}

  /// How the alert was shown to the reader; nothing: it was not, or only sent.
  std::optional<record> find(reader_id reader, std::uint64_t alert) const;

  /// Whether the reader has it behind itself: shown by some way, or passed over.
  bool is_read(reader_id reader, std::uint64_t alert) const;

  /// Whether the reader need not be told of it: it has seen this alert, or its fault at this
  /// severity or a worse one. The same fault tells again when it is worse than it was.
  bool knows(reader_id reader, const merged_alert& m) const;

  /// The first way stays the one that counts.
  void note_shown(reader_id reader, const merged_alert& m, shown_channel by, mono_time now);

  /// The reader wants to begin after this alert; no way has shown it.
  void note_passed(reader_id reader, std::uint64_t alert);

  /// So many alerts were pushed, which nobody may have read.
  void note_sent(reader_id reader, std::uint64_t alerts);

  /// What was noted as shown last has not reached anybody.
  void take_back(reader_id reader, const merged_alert& m);

  /// The fault with that merge key is over: when it comes back, everybody is told again.
  void end_fault(const std::string& key);

  /// The reader has lost what it was shown.
  void forget_shown(reader_id reader);

  /// Two readers were the same conversation all along.
  void join(reader_id from, reader_id into);

  void forget(reader_id reader) { readers_.erase(reader); }

  /// Alerts with smaller ids are no longer kept.
  void keep_from(std::uint64_t oldest) { oldest_ = oldest; }

  channel_counts shown(reader_id reader) const;
  std::uint64_t sent(reader_id reader) const;
  std::size_t readers() const { return readers_.size(); }

 private:
  struct known_fault {
    severity level = severity::info;
    std::uint64_t alert = 0; ///< that showed it
  };

  struct history {
    std::map<std::uint64_t, std::optional<record>> alerts; ///< nothing: passed over
    std::unordered_map<std::size_t, known_fault> faults;   ///< by the hash of their key
    std::deque<std::size_t> faults_by_age;                 ///< oldest first
    channel_counts counts{};
    std::uint64_t sent = 0;
  };

  const history* history_of(reader_id reader) const;
  void prune(history& h) const;
  void learn(history& h, std::size_t fault, known_fault known) const;

  std::size_t most_faults_;
  std::uint64_t oldest_ = 0;
  std::unordered_map<reader_id, history> readers_;
};

} // namespace gasoline
