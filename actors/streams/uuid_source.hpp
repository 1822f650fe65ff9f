#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace gasoline {

/// Makes random UUIDs (RFC 9562, version 4). They identify and prove nothing, so a fast generator
/// does.
class uuid_source {
 public:
  uuid_source();

  std::string next();

  /// 64 random bits.
  std::uint64_t bits() { return random_(); }

 private:
  std::mt19937_64 random_;
};

} // namespace gasoline
