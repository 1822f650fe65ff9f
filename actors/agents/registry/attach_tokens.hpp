#pragma once

#include "messages/agents/session_actors.hpp"
#include "messages/base/time.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gasoline {

/// The single-use tokens with which clients open a session's stream. A token that was given out is
/// good until it is used or its time is over, whoever asks for others meanwhile.
class attach_tokens {
 public:
  /// `most`: unused tokens of all askers together. One asker may have a half of them.
  attach_tokens(std::chrono::milliseconds life, std::uint64_t most) : life_(life), most_(most) {}

  /// Whether this asker may be given another one now.
  bool has_room(const std::string& asker, mono_time now) {
    prune(now);
    const auto it = held_.find(asker);
    return tokens_.size() < most_ && (it == held_.end() || it->second < most_of_one());
  }

  /// Keeps a token that is given out.
  void add(const std::string& token, const agent_session_id& session_id,
           const attach_request& request, mono_time now) {
    prune(now);
    if (tokens_.emplace(token, entry{session_id, request.asker, request.trusted, now + life_})
            .second)
      ++held_[request.asker];
  }

  /// What a token stood for.
  struct redeemed {
    bool trusted = false; ///< whoever asked for it has shown the token of the token file
  };

  /// Opens that session with the token, which does so only once; nothing: it does not.
  std::optional<redeemed> redeem(const std::string& token, const agent_session_id& session_id,
                                 mono_time now) {
    prune(now);
    const auto it = tokens_.find(token);
    if (it == tokens_.end() || it->second.session_id != session_id)
      return std::nullopt;
    const redeemed out{it->second.trusted};
    remove(it);
    return out;
  }

  std::size_t size() const { return tokens_.size(); }

 private:
  struct entry {
    agent_session_id session_id;
    std::string asker;
    bool trusted = false;
    mono_time expires{};
  };

  using token_map = std::map<std::string, entry>;

  std::uint64_t most_of_one() const { return (most_ + 1) / 2; }

  void remove(token_map::iterator it) {
    const auto held = held_.find(it->second.asker);
    if (--held->second == 0)
      held_.erase(held);
    tokens_.erase(it);
  }

  // Ids rise with time, so the first token is the oldest.
  void prune(mono_time now) {
    while (!tokens_.empty() && tokens_.begin()->second.expires <= now)
      remove(tokens_.begin());
  }

  std::chrono::milliseconds life_;
  std::uint64_t most_;
  token_map tokens_;
  std::map<std::string, std::uint64_t> held_; // by asker
};

} // namespace gasoline
