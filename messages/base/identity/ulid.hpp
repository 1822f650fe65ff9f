#pragma once

#include "messages/base/enum_names.hpp"
#include "messages/base/time.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {

/// What an id of an agent session names; the wire name is its prefix.
enum class id_kind : std::uint8_t { session, turn, record, attach, message, tool_use, permission };

template <>
struct enum_table<id_kind> {
  static constexpr std::array<std::pair<id_kind, std::string_view>, 7> rows{{
      {id_kind::session, "sess_"},
      {id_kind::turn, "turn_"},
      {id_kind::record, "evt_"},
      {id_kind::attach, "atk_"},
      {id_kind::message, "msg_"},
      {id_kind::tool_use, "tu_"},
      {id_kind::permission, "perm_"},
  }};
};

/// Gives 64 random bits per call. Attach tokens are secrets: live engines pass the system's
/// cryptographic source.
using random_source = std::function<std::uint64_t()>;

/// Makes ids whose byte order is the order in which they were made: a prefix and a monotonic ULID
/// (48 bits of milliseconds, 80 random bits, Crockford's base 32). A wall clock that steps back
/// does not disturb the order.
class ulid_source {
 public:
  explicit ulid_source(random_source random) : random_(std::move(random)) {}

  /// The next id; greater than every id made before and than every floor.
  std::string next(id_kind kind, wall_time now);

  /// What is made from now on is greater than this id, whatever its prefix. Anything that is no id
  /// changes nothing.
  void raise_floor(std::string_view id);

 private:
  void step();

  random_source random_;
  std::uint64_t milliseconds_ = 0;
  std::uint16_t high_ = 0; // the upper 16 of the 80 bits
  std::uint64_t low_ = 0;
};

/// Whether `text` has the form of an id of that kind.
bool is_id(id_kind kind, std::string_view text);

/// The smallest id of that kind that can be made at that time.
std::string first_id_at(id_kind kind, wall_time at);

/// The time in an id of any kind, or nothing when it is no id.
std::optional<wall_time> time_of_id(std::string_view id);

} // namespace gasoline
