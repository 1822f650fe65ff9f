#include "actors/mcp_tools/analyze/fault_table.hpp"

#include "actors/detection/direct_alert.hpp"
#include "actors/detection/event_fields.hpp"
#include "actors/detection/event_marks.hpp"
#include "actors/detection/fault_key.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t most_occurrences = 50;

struct named_fault {
  std::string key;
  redacted_text title;
};

std::optional<named_fault> name_fault(const event& e, const limits_of<alert_room>& limit) {
  if (auto a = direct_alert(e, limit)) {
    auto key = a->dedup_key.empty() ? a->title.str() : a->dedup_key.str();
    return named_fault{std::move(key), std::move(a->title)};
  }
  if (!is_error_entry(e))
    return std::nullopt;
  const auto line = normalised_line(e.message, limit.alert.key_bytes);
  return named_fault{"line:" + line.str(), e.message.shortened(limit.alert.key_bytes)};
}

/// What events of one fault surely share, cheap to read: to name the fault of each event would be
/// most of what an answer over full buffers costs. Several of these may be one fault.
struct likeness {
  std::string_view fault;
  std::string_view service;
  std::string_view name; ///< of requests: method
  std::string_view url;  ///< of requests and sockets
  std::string_view text; ///< of what has no fault of its own
  std::int32_t status = -1;
  std::uint32_t kinds = 0;

  friend bool operator==(const likeness&, const likeness&) = default;
};

likeness likeness_of(const event& e) {
  likeness out;
  out.fault = e.fault.view();
  out.service = e.service.view();
  out.status = e.status;
  out.kinds = static_cast<std::uint32_t>(e.kind) | static_cast<std::uint32_t>(e.type) << 8U |
              static_cast<std::uint32_t>(e.level) << 16U |
              static_cast<std::uint32_t>(e.build) << 24U |
              static_cast<std::uint32_t>(e.origin) << 28U;
  if (e.noise == noise_mark::hint) { // one for each page
    out.url = page_address(e).view();
    return out;
  }
  out.name = e.name.view();
  if (e.kind == telemetry_kind::log && e.type == entry_type::exception && !e.fault.empty()) {
    out.text = marks_of(e).reported_by;
    return out;
  }
  const bool has_address = e.kind != telemetry_kind::log || e.type == entry_type::network;
  out.url = has_address ? e.url.view() : std::string_view{};
  out.text = e.message.view();
  if (e.kind == telemetry_kind::request) {
    out.text = field_json(e.fields.view(), "initiator_type");
    out.fault = field_json(e.fields.view(), "error");
  } else if (e.type == entry_type::console || may_hold_graphql(e)) {
    out.name = e.fields.view(); // its marks, or the errors in the answer, decide
  }
  return out;
}

/// What browsers time of each resource says of no fault when it has no status.
bool says_nothing(const event& e) {
  return e.kind == telemetry_kind::request && e.status < 0;
}

struct likeness_hash {
  std::size_t operator()(const likeness& l) const {
    const std::hash<std::string_view> hash;
    std::size_t out = l.kinds * 31U + static_cast<std::size_t>(l.status);
    for (const auto text : {l.fault, l.service, l.name, l.url, l.text})
      out = out * 1099511628211ULL + hash(text);
    return out;
  }
};

/// The fault of each kind of events, named once; null: it is none.
class fault_names {
 public:
  explicit fault_names(const limits_of<alert_room>& limit) : limit_(limit) {}

  const named_fault* of(const event& e) {
    if (!may_alert(e) || e.echo || says_nothing(e))
      return nullptr;
    const auto [known, added] = known_.try_emplace(likeness_of(e));
    if (added)
      known->second = name_fault(e, limit_);
    return known->second ? &*known->second : nullptr;
  }

 private:
  limits_of<alert_room> limit_;
  std::unordered_map<likeness, std::optional<named_fault>, likeness_hash> known_;
};

} // namespace

fault_table faults_in(const std::vector<event_group>& events, const limits_of<alert_room>& limit) {
  fault_table out;
  fault_names names{limit};
  for (const auto& group : events) {
    const auto* named = names.of(*group.newest);
    if (!named)
      continue;
    const auto [known, added] = out.try_emplace(named->key);
    auto& f = known->second;
    if (added)
      f.title = named->title;
    f.count += group.count;
    if (f.occurrences.size() < most_occurrences)
      f.occurrences.push_back(group.newest);
    f.first_at = added ? group.first_at : std::min(f.first_at, group.first_at);
    if (!added && group.newest->at < f.last_at)
      continue;
    f.last_at = group.newest->at;
    f.newest = group.newest;
  }
  for (auto& [key, f] : out) {
    f.place = error_location(*f.newest);
    if (f.occurrences.size() > 1) // in the words of the newest
      if (auto named = name_fault(*f.newest, limit))
        f.title = std::move(named->title);
  }
  return out;
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
