#pragma once

#include "messages/base/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string_view>
#include <unordered_map>

namespace gasoline {

/// Remembers when keys were last told. Holds at most `capacity` keys: those
/// older than twice the window go first, then the oldest. Keys are kept as 128-bit fingerprints, so
/// that the cache stays small whatever the keys are.
class dedup_cache {
 public:
  dedup_cache(std::size_t capacity, std::chrono::milliseconds window)
      : capacity_(capacity), window_(window) {}

  // The index points into the list.
  dedup_cache(const dedup_cache&) = delete;
  dedup_cache& operator=(const dedup_cache&) = delete;
  dedup_cache(dedup_cache&&) = default;
  dedup_cache& operator=(dedup_cache&&) = default;
  ~dedup_cache() = default;

  /// Whether the key was remembered less than one window before `now`.
  bool seen(std::string_view key, mono_time now) const;

  /// Remembers the key as told at `now`, which must not go backwards between calls.
  void remember(std::string_view key, mono_time now);

  /// Whether the key is remembered, however long ago.
  bool holds(std::string_view key) const;

  /// The key counts as never told.
  void forget(std::string_view key);

  void clear();

  std::size_t size() const { return entries_.size(); }

 private:
  struct fingerprint {
    std::uint64_t first;
    std::uint64_t second;
    friend bool operator==(const fingerprint&, const fingerprint&) = default;
  };

  struct fingerprint_hash {
    std::size_t operator()(const fingerprint& f) const { return f.first; }
  };

  struct entry {
    fingerprint key;
    mono_time at;
  };

  static fingerprint fingerprint_of(std::string_view key);

  void pop_oldest();

  std::size_t capacity_;
  std::chrono::milliseconds window_;
  std::list<entry> entries_; ///< oldest first
  std::unordered_map<fingerprint, std::list<entry>::iterator, fingerprint_hash> index_;
};

} // namespace gasoline
