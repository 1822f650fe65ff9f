#pragma once

#include "messages/base/time.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gasoline {

/// The single-use tokens with which clients open a session's stream.
class attach_tokens {
 public:
  attach_tokens(std::chrono::milliseconds life, std::uint64_t most) : life_(life), most_(most) {}

  /// Keeps a token that was just given out; past the cap the oldest one goes.
  void add(const std::string& token, const std::string& session_id, mono_time now) {
    prune(now);
    if (tokens_.size() >= most_)
      tokens_.erase(tokens_.begin());
    tokens_.emplace(token, entry{session_id, now + life_});
  }

  /// Whether the token opens that session now; it does so only once.
  bool redeem(const std::string& token, const std::string& session_id, mono_time now) {
    prune(now);
    const auto it = tokens_.find(token);
    if (it == tokens_.end() || it->second.session_id != session_id)
      return false;
    tokens_.erase(it);
    return true;
  }

  std::size_t size() const { return tokens_.size(); }

 private:
  struct entry {
    std::string session_id;
    mono_time expires{};
  };

  // Ids rise with time, so the first token is the oldest.
  void prune(mono_time now) {
    while (!tokens_.empty() && tokens_.begin()->second.expires <= now)
      tokens_.erase(tokens_.begin());
  }

  std::chrono::milliseconds life_;
  std::uint64_t most_;
  std::map<std::string, entry> tokens_;
};

} // namespace gasoline
