#pragma once

#include "actors/base/maker_key.hpp"
#include "messages/base/asking_party.hpp"

#include <string>

namespace gasoline {

/// Whose a stream is. The user's programs and agents share all streams; a page uses those that
/// pages of its origin have made, and others by their key. A stream that another engine has made,
/// or one before, is the programs'.
class stream_owner {
 public:
  stream_owner() = default;
  stream_owner(const asking_party& maker, const std::string& key)
      : origin_(maker.origin), key_(key) {}

  /// Whether the caller may use the stream.
  bool admits(const asking_party& caller) const {
    return caller.trusted || caller.origin.empty() || caller.origin == origin_ ||
           key_.is_of(caller.key);
  }

 private:
  std::string origin_;
  key_hash key_;
};

} // namespace gasoline
