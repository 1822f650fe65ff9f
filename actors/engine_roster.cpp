#include "actors/engine_roster.hpp"

#include <algorithm>

namespace gasoline {

std::vector<caf::strong_actor_ptr> engine_roster::ending() const {
  std::vector<caf::strong_actor_ptr> out;
  for (const auto& [part, row] : ended_)
    out.push_back(row.handle);
  std::reverse(out.begin(), out.end());
  return out;
}

std::string_view engine_roster::name_at(const caf::actor_addr& address) const {
  const auto found = std::find_if(ended_.begin(), ended_.end(), [&](const auto& row) {
    return row.second.handle->address() == address;
  });
  return found == ended_.end() ? std::string_view{} : found->second.name;
}

} // namespace gasoline
