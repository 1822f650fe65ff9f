#include "actors/mcp_tools/observe/answer/fault_groups.hpp"

#include "actors/detection/fault_key.hpp"
#include "actors/mcp_tools/observe/page_key.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace gasoline {
namespace {

constexpr std::size_t pages_kept = 8;

void note_page(fault_group& fault, const event& e) {
  const auto key = page_key(page_address(e).view());
  const auto same = [&](const event* other) {
    return page_key(page_address(*other).view()) == key;
  };
  auto& others = fault.other_pages;
  if (!key.empty() && !same(fault.seen.newest.get()) && others.size() < pages_kept &&
      std::none_of(others.begin(), others.end(), same))
    others.push_back(&e);
}

} // namespace

std::vector<fault_group> faults_of(const std::vector<event_group>& groups,
                                   const limits_of<alert_room>& limit) {
  std::vector<fault_group> out;
  std::unordered_map<std::string, std::size_t> by_key;
  for (const auto& g : groups) {
    const auto [known, added] =
        by_key.emplace(error_key(*g.newest, limit.alert.key_bytes).str(), out.size());
    if (added) {
      out.push_back({g, {}});
      continue;
    }
    auto& fault = out[known->second];
    fault.seen.count += g.count;
    fault.seen.first_at = std::min(fault.seen.first_at, g.first_at);
    note_page(fault, *g.newest);
  }
  return out;
}

} // namespace gasoline
