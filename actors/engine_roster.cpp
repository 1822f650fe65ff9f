#include "actors/engine_roster.hpp"

#include <algorithm>

namespace gasoline {

std::vector<caf::strong_actor_ptr> engine_roster::ending() const {
  std::vector<caf::strong_actor_ptr> out;
  for (const auto& [part, handle] : ended_)
    out.push_back(handle);
  std::reverse(out.begin(), out.end());
  return out;
}

std::string_view engine_roster::name_at(const caf::actor_addr& address) const {
  const auto found = std::find_if(ended_.begin(), ended_.end(), [&](const auto& row) {
    return row.second->address() == address;
  });
  return found == ended_.end() ? std::string_view{} : name_of(found->first);
}

} // namespace gasoline
