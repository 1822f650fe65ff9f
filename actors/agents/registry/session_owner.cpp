#include "actors/agents/registry/session_owner.hpp"

namespace gasoline {

session_owner::session_owner(const session_caller& maker, const std::string& key)
    : is_for_token_(maker.trusted), origin_(maker.origin), key_(key) {}

bool session_owner::admits(const session_caller& caller) const {
  if (caller.trusted || knows_key(caller))
    return true;
  return !is_for_token_ && caller.origin == origin_;
}

bool session_owner::knows_key(const session_caller& caller) const {
  return key_.is_of(caller.key);
}

} // namespace gasoline
