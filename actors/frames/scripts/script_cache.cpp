#include "actors/frames/scripts/script_cache.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace gasoline {

known_script& script_cache::at(const std::string& address, mono_time now) {
  auto& script = scripts_[address];
  script.used = now;
  return script;
}

known_script* script_cache::find(std::string_view address) {
  const auto found = scripts_.find(address);
  return found == scripts_.end() ? nullptr : &found->second;
}

bool script_cache::is_fresh(const known_script& script, const std::string& page_load,
                            mono_time now) const {
  using std::chrono::milliseconds;
  if (script.asked || script.what == known_script::knowledge::none)
    return false;
  const auto age = now - script.at;
  if (script.what == known_script::knowledge::failed)
    return age < milliseconds{limit_.retry_ms};
  return age < milliseconds{limit_.fresh_ms} || script.pages.contains(page_load);
}

void script_cache::trim() {
  while (scripts_.size() > limit_.scripts || bytes() > limit_.cache_bytes) {
    auto oldest = scripts_.end();
    for (auto it = scripts_.begin(); it != scripts_.end(); ++it)
      if (!it->second.asked && (oldest == scripts_.end() || it->second.used < oldest->second.used))
        oldest = it;
    if (oldest == scripts_.end())
      return;
    scripts_.erase(oldest);
  }
}

std::uint64_t script_cache::bytes() const {
  std::uint64_t total = 0;
  for (const auto& [address, script] : scripts_)
    total += address.size() + sizeof(script) + script.map_bytes;
  return total;
}

} // namespace gasoline
