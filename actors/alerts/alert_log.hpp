#pragma once

#include "config/limits.hpp"
#include "messages/alerts/merged_alert.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

namespace gasoline {

/// The last alerts. A repeat merges into its entry until some reader has been shown that entry;
/// then it opens a new one, so that whoever has read the old one is told again. When full, the
/// oldest entry goes.
class alert_log {
 public:
  explicit alert_log(const limits_of<alert_room>& limit = {});

  /// Keeps or merges one alert; constant time. An update changes the newest entry of its key, read
  /// or not, and opens none. Unread entries that turn out to be effects of this alert go.
  void append(const alert_ptr& a);

  /// All entries, oldest first.
  std::vector<merged_alert> all() const;

  /// The newest entry with that merge key; nothing: none is kept.
  const merged_alert* newest(const std::string& key) const;

  /// The entry with that id; nothing: it is not kept.
  const merged_alert* find(std::uint64_t id) const;

  /// Somebody has been shown the entry with that id; a repeat opens a new one, unless it goes on
  /// without a pause.
  void close(std::uint64_t id);

  /// The smallest id that is kept; 0: none is.
  std::uint64_t oldest() const { return entries_.empty() ? 0 : entries_.front().alert.id; }

  std::size_t size() const { return entries_.size(); }
  std::uint64_t merged() const { return merged_; }
  /// Alerts taken in since the start, merged ones too.
  std::uint64_t appended() const { return appended_; }
  /// Entries that went before any reader had been shown them.
  std::uint64_t evicted_unread() const { return evicted_unread_; }

 private:
  struct entry {
    merged_alert alert;
    std::string key;
    std::uint64_t serial = 0;
    bool closed = false; ///< shown to at least one reader
    bool gone = false;   ///< became evidence of another entry; keeps its place, is told no more
  };

  entry* newest_entry(const std::string& key);
  entry* open_entry(const std::string& key);
  entry* lasting_entry(const std::string& key, mono_time now);
  void remove_effects(const alert& cause);
  void evict_oldest();

  std::size_t capacity_;
  std::deque<entry> entries_;                             ///< oldest first, serials without gaps
  std::unordered_map<std::string, std::uint64_t> by_key_; ///< key to the newest serial
  std::uint64_t last_serial_ = 0;
  std::uint64_t appended_ = 0;
  std::uint64_t merged_ = 0;
  std::uint64_t evicted_unread_ = 0;
};

} // namespace gasoline
