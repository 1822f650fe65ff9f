#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace gasoline {

/// What is kept of the key that the maker of a thing was given: its hash, as long as the engine
/// runs.
class key_hash {
 public:
  /// Of no key.
  key_hash() = default;
  explicit key_hash(const std::string& key);

  /// Whether this is the key; takes the same time wherever it differs.
  bool is_of(const std::string& shown) const;

 private:
  std::string hash_; // empty: there is no key
};

/// A key of 256 bits, as hexadecimal digits.
std::string make_maker_key(const std::function<std::uint64_t()>& random);

} // namespace gasoline
