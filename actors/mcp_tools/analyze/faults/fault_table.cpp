#include "actors/mcp_tools/analyze/faults/fault_table.hpp"

#include "actors/detection/fault/fault_key.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t most_occurrences = 50;
constexpr std::size_t usual_occurrences = 8; // to grow from one on would cost more than the rest

/// The occurrences of one fault that are alike.
struct alike_occurrences {
  fault* of = nullptr;
  const named_fault* named = nullptr;
  const event* newest = nullptr; ///< of which it was, at its time, the newest occurrence
};

} // namespace

fault_table faults_in(event_span events, const limits_of<alert_room>& limit) {
  fault_names names{limit};
  return faults_in(events, names);
}

fault_table faults_in(event_span events, fault_names& names) {
  fault_table out;
  std::vector<alike_occurrences> rows; // by the number of the likeness
  for (const auto* told : events) {
    const auto* named = names.of(*told);
    if (!named)
      continue;
    if (named->number >= rows.size())
      rows.resize(named->number + 1);
    auto& row = rows[named->number];
    if (!row.of) {
      row.of = &out[named->key];
      row.named = named;
      row.of->occurrences.reserve(usual_occurrences);
    }
    auto& f = *row.of;
    const bool added = f.newest == nullptr;
    f.count += told->count;
    if (f.occurrences.size() < most_occurrences)
      f.occurrences.push_back(told);
    f.first_at = added ? told->at : std::min(f.first_at, told->at);
    if (!added && told->at < f.last_at)
      continue;
    f.last_at = told->at;
    f.newest = row.newest = told;
  }
  for (const auto& row : rows)
    if (row.of && row.of->newest == row.newest)
      row.of->title = names.title(*row.named, *row.newest);
  return out;
}

redacted_text place_of(const fault& f) {
  return error_location(*f.newest);
}

const fault* newest_fault(const fault_table& faults, std::string_view title) {
  const fault* out = nullptr;
  for (const auto& [key, f] : faults) {
    if (!title.empty() && f.title.view() != title)
      continue;
    if (!out || f.last_at > out->last_at)
      out = &f;
  }
  return out;
}

} // namespace gasoline
