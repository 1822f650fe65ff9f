#pragma once

#include "actors/detection/direct_alert.hpp"
#include "config/limits.hpp"
#include "messages/telemetry/event.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace gasoline {

/// Which fault an event tells of.
struct named_fault {
  std::string key; ///< of its alert
  redacted_text title;
  bool raises_alert = false; ///< otherwise it is a line of a console, which counts for spikes only
  std::size_t number = 0; ///< of its likeness among those that `fault_names` has named, from 0 on
  const event* first = nullptr; ///< of which `fault_names` has made the name
};

/// The fault of that event; nothing: it is none.
std::optional<named_fault> name_fault(const event& e, const limits_of<alert_room>& limit);

/// What events of one fault surely share, cheap to read: to name the fault of each event would be
/// most of what an answer over full buffers costs. Several of these may be one fault.
struct likeness {
  std::string_view fault;
  std::string_view service;
  std::string_view name;  ///< of requests: method
  std::string_view url;   ///< of requests and sockets
  std::string_view text;  ///< of what has no fault of its own
  std::string_view stack; ///< of console entries
  std::int32_t status = -1;
  std::uint32_t kinds = 0;

  friend bool operator==(const likeness&, const likeness&) = default;
};

struct likeness_hash {
  std::size_t operator()(const likeness& l) const;
};

/// Whether it surely is no fault, cheap to tell of what there is most: what browsers time of each
/// resource says of none when it has no status, nor does a line of a console below error.
inline bool is_surely_no_fault(const event& e) {
  if (!may_alert(e) || e.echo)
    return true;
  if (e.kind != telemetry_kind::log)
    return e.kind == telemetry_kind::request && e.status < 0;
  return e.level < log_level::error && e.noise != noise_mark::hint &&
         e.type != entry_type::exception && e.type != entry_type::security &&
         e.type != entry_type::network;
}

/// The fault of each kind of events, named once. What it remembers are views into the events, which
/// must outlive it.
class fault_names {
 public:
  explicit fault_names(const limits_of<alert_room>& limit) : limit_(limit) {}

  /// Null: it is none.
  const named_fault* of(const event& e) { return is_surely_no_fault(e) ? nullptr : found(e); }

  /// In the words of that event, which `of` has named so, where those of its kind have others.
  redacted_text title(const named_fault& named, const event& e) const;

  /// How many kinds are remembered.
  std::size_t size() const { return known_.size(); }

 private:
  const named_fault* found(const event& e);

  limits_of<alert_room> limit_;
  std::size_t faults_ = 0;
  std::unordered_map<likeness, std::optional<named_fault>, likeness_hash> known_;
};

} // namespace gasoline
