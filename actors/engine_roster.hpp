#pragma once

#include "messages/actors.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// The parts of an engine in the order of their ending: first what takes telemetry in, last what
/// the others ask. Clients end before all of them.
enum class engine_part : std::uint8_t {
  browser,
  ingest,
  sessions,
  frames,
  redactor,
  noise,
  detectors,
  hub,
  streams,
  ci,
  alerts,
  analyses,
  marks,
  store
};

template <>
struct enum_table<engine_part> {
  static constexpr std::array<std::pair<engine_part, std::string_view>, 14> rows{{
      {engine_part::browser, "browser"},
      {engine_part::ingest, "ingest"},
      {engine_part::sessions, "sessions"},
      {engine_part::frames, "frames"},
      {engine_part::redactor, "redactor"},
      {engine_part::noise, "noise"},
      {engine_part::detectors, "detectors"},
      {engine_part::hub, "hub"},
      {engine_part::streams, "streams"},
      {engine_part::ci, "ci"},
      {engine_part::alerts, "alerts"},
      {engine_part::analyses, "analyses"},
      {engine_part::marks, "marks"},
      {engine_part::store, "store"},
  }};
};

/// The parts that an engine has: who is asked for health, and who is ended when.
class engine_roster {
 public:
  /// A part that the engine ends; null: this engine has none.
  template <class Handle>
  void add(engine_part part, const Handle& handle) {
    add(part, name_of(part), handle);
  }

  /// One of several parts that end together, with a name of its own, which is a literal.
  template <class Handle>
  void add(engine_part part, std::string_view name, const Handle& handle) {
    if (!handle)
      return;
    asked_.push_back(caf::actor_cast<health_source>(handle));
    ended_.emplace(part, roster_row{name, caf::actor_cast<caf::strong_actor_ptr>(handle)});
  }

  /// A part that somebody else ends; null: this engine has none.
  template <class Handle>
  void add_guest(const Handle& handle) {
    if (handle)
      asked_.push_back(caf::actor_cast<health_source>(handle));
  }

  /// Whose parts the health document is made of.
  const std::vector<health_source>& asked() const { return asked_; }

  /// Who is ended, in reverse order.
  std::vector<caf::strong_actor_ptr> ending() const;

  /// The name of the part at that address; empty: it is none.
  std::string_view name_at(const caf::actor_addr& address) const;

 private:
  struct roster_row {
    std::string_view name;
    caf::strong_actor_ptr handle;
  };

  std::vector<health_source> asked_;
  std::multimap<engine_part, roster_row> ended_;
};

} // namespace gasoline
