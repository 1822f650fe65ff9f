#include "actors/browser/entries/telemetry_outbox.hpp"

namespace gasoline {

void telemetry_outbox::add(std::string_view format, std::string_view origin,
                           const std::string& entry) {
  if (entry.empty())
    return;
  if (bytes_ + entry.size() > most_) {
    ++dropped_;
    return;
  }
  ++told_;
  bytes_ += entry.size();
  auto& list = lists_[{format, std::string{origin}}];
  list += list.empty() ? '[' : ',';
  list += entry;
}

std::vector<telemetry_outbox::letter> telemetry_outbox::take() {
  std::vector<letter> out;
  for (auto& [key, list] : lists_)
    out.push_back({key.first, key.second, std::move(list) + ']'});
  lists_.clear();
  bytes_ = 0;
  return out;
}

} // namespace gasoline
