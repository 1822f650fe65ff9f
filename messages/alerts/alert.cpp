#include "messages/alerts/alert.hpp"

#include <algorithm>

namespace gasoline {

std::string merge_key(const alert& a) {
  if (!a.dedup_key.empty())
    return a.dedup_key.str();
  return std::string{name_of(a.category)} + ":" + a.title.str();
}

redacted_text ending_key(const redacted_text& key) {
  return redacted(literal{"end:"}, key);
}

void add_evidence(std::vector<redacted_text>& also, const std::vector<redacted_text>& more,
                  std::size_t most) {
  for (const auto& line : more)
    if (also.size() < most && std::find(also.begin(), also.end(), line) == also.end())
      also.push_back(line);
}

std::string id_text(const alert& a) {
  return "alert_" + std::to_string(a.id);
}

} // namespace gasoline
