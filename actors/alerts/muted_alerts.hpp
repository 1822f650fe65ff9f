#pragma once

#include "messages/alerts/alert.hpp"
#include "messages/base/identity/reader_id.hpp"
#include "messages/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gasoline {

/// Which faults a conversation does not want to hear of. Bounded: the last 100 of each.
class muted_alerts {
 public:
  /// The fault with that merge key, whose alert had that id; without `until` for good.
  void mute(reader_id reader, std::uint64_t id, std::string key, std::optional<mono_time> until);

  /// Takes back what was muted by that id or has that key; false: nothing was.
  bool unmute(reader_id reader, std::uint64_t id, const std::string& key);

  /// Whether the alert, or the end that it tells, is of a muted fault.
  bool covers(reader_id reader, const alert& a, mono_time now) const;

  /// How many are muted by now.
  std::size_t muted(reader_id reader, mono_time now) const;

  void forget(reader_id reader) { rows_.erase(reader); }

  /// The one reader turned out to be the other.
  void join(reader_id from, reader_id to);

 private:
  struct row {
    std::uint64_t id = 0;
    std::string key;
    std::optional<mono_time> until;
  };

  std::unordered_map<reader_id, std::vector<row>> rows_; ///< oldest first
};

} // namespace gasoline
