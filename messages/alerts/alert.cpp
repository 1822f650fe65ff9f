#include "messages/alerts/alert.hpp"

namespace gasoline {

std::string merge_key(const alert& a) {
  if (!a.dedup_key.empty())
    return a.dedup_key.str();
  return std::string{name_of(a.category)} + ":" + a.title.str();
}

std::string id_text(const alert& a) {
  return "alert_" + std::to_string(a.id);
}

} // namespace gasoline
