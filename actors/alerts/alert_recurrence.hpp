#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gasoline {

/// How often each alert key came up since start (`recurrence`). Holds a
/// bounded number of keys; the one not seen for longest is forgotten first.
class alert_recurrence {
 public:
  explicit alert_recurrence(std::size_t capacity) : capacity_(capacity) {}

  // The index points into the list.
  alert_recurrence(const alert_recurrence&) = delete;
  alert_recurrence& operator=(const alert_recurrence&) = delete;
  alert_recurrence(alert_recurrence&&) = default;
  alert_recurrence& operator=(alert_recurrence&&) = default;
  ~alert_recurrence() = default;

  /// Counts one alert with that key and remembers its id; answers how many came before it.
  std::uint32_t count(const std::string& key, std::uint64_t id);

  /// The id of the newest alert with that key; 0: none is known.
  std::uint64_t newest(const std::string& key) const;

  /// Notes that the fault with that key is over. False, and nothing is noted: it was never told, it
  /// became evidence of another, or it is over already.
  bool resolve(const std::string& key);

  /// The alert with that key became evidence of another.
  void absorb(const std::string& key);

  /// How often the fault with that key has come back, when it was over; else 0. It is no longer
  /// over then.
  std::uint32_t take_return(const std::string& key);

  std::size_t size() const { return keys_.size(); }

 private:
  struct key_count {
    std::string key;
    std::uint32_t times = 0;
    std::uint64_t newest_id = 0;
    std::uint32_t returns = 0;
    bool resolved = false;
    bool absorbed = false;
  };

  std::size_t capacity_;
  std::list<key_count> keys_; ///< seen longest ago first
  std::unordered_map<std::string_view, std::list<key_count>::iterator> index_;
};

} // namespace gasoline
