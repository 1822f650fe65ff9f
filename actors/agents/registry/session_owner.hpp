#pragma once

#include "actors/base/maker_key.hpp"
#include "messages/agents/session_actors.hpp"

#include <string>

namespace gasoline {

/// Whose a session is. One that was made with the token is for holders of the token; one that a
/// page made is for pages of that origin; all others, those of an engine before among them, are for
/// the user's programs. Whoever shows the session's key may use it besides, wherever he comes from;
/// of the key only the hash is kept, as long as the engine runs.
class session_owner {
 public:
  session_owner() = default;

  /// Of a new session. `key` is what its maker is given.
  session_owner(const session_caller& maker, const std::string& key);

  /// Whether the caller may use the session.
  bool admits(const session_caller& caller) const;

  /// Whether the caller has shown the session's key.
  bool knows_key(const session_caller& caller) const;

 private:
  bool is_for_token_ = false;
  std::string origin_;
  key_hash key_;
};

} // namespace gasoline
