#pragma once

#include "config/limits.hpp"
#include "messages/alerts/merged_alert.hpp"
#include "messages/mcp/client.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gasoline {

/// The last alerts and what each client has read of them. A repeat merges into its entry until some
/// client has read that entry; then it opens a new one, so that whoever has read the old one is
/// told again. When full, the oldest entry goes.
class alert_log {
 public:
  explicit alert_log(const limits& limit = {});

  /// Keeps or merges one alert; constant time. An update changes the newest entry of its key, read
  /// or not, and opens none. Unread entries that turn out to be effects of this alert go.
  void append(const alert_ptr& a);

  /// All entries, oldest first.
  std::vector<merged_alert> all() const;

  /// The entries that the client has not read, oldest first.
  std::vector<merged_alert> unread(client_id client) const;

  /// Marks everything read for the client, but for the unread entries with these ids.
  void mark_read(client_id client, const std::vector<std::uint64_t>& still_unread = {});

  /// Marks these read for the client, but for those that have come again since.
  void mark_told(client_id client, const told_alerts& told);

  /// What was marked read for the client with these ids did not reach it after all.
  void mark_unread(client_id client, const std::vector<std::uint64_t>& ids);

  /// The client is gone.
  void forget(client_id client);

  std::size_t size() const { return entries_.size(); }
  std::uint64_t merged() const { return merged_; }
  /// Entries that went before any client had read them.
  std::uint64_t evicted_unread() const { return evicted_unread_; }

 private:
  struct entry {
    merged_alert alert;
    std::string key;
    std::uint64_t serial = 0;
    bool read = false; ///< by at least one client
    bool gone = false; ///< became evidence of another entry; keeps its place, is told no more
  };

  /// Everything up to `position` is read, but for the entries in `left`.
  struct read_state {
    std::uint64_t position = 0;
    std::unordered_set<std::uint64_t> left; ///< serials
  };

  entry* newest_entry(const std::string& key);
  entry* open_entry(const std::string& key);
  void remove_effects(const alert& cause);
  void evict_oldest();

  std::size_t capacity_;
  std::deque<entry> entries_;                             ///< oldest first, serials without gaps
  std::unordered_map<std::string, std::uint64_t> by_key_; ///< key to the newest serial
  std::unordered_map<client_id, read_state> clients_;
  std::uint64_t last_serial_ = 0;
  std::uint64_t merged_ = 0;
  std::uint64_t evicted_unread_ = 0;
};

} // namespace gasoline
