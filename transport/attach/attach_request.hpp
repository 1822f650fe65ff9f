#pragma once

#include <nlohmann/json.hpp>

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace gasoline {

/// What a client may agree with its engine that outlives an answer, in the order in which another
/// engine has to hear it.
enum class agreed_kind : std::uint8_t { handshake, level, subscription, streaming };

/// One agreement: at most one value each.
struct agreement {
  agreed_kind kind = agreed_kind::handshake;
  std::string uri; ///< of a subscription; else empty

  auto operator<=>(const agreement&) const = default;
};

/// What a request changes once it is accepted.
struct agreed_change {
  agreement what;
  std::optional<nlohmann::json> params; ///< that repeat it; nothing: it is taken back
};

/// A request of a client, from its first byte on.
enum class request_phase : std::uint8_t {
  asked,     ///< its answer is waited for
  opening,   ///< the same for `initialize`, without which no other makes sense
  withdrawn, ///< the client has cancelled it, but may be answered all the same
  over
};

enum class request_event : std::uint8_t {
  accepted,   ///< answered, and not by an error
  refused,    ///< answered by an error, or by a tool's
  cancelled,  ///< by the client
  superseded, ///< a later request about the same, or a later handshake, is accepted
  taken_back, ///< its line has not reached the engine
  engine_lost
};

enum class request_effect : std::uint8_t {
  none,
  agree,      ///< what it changes is in force
  forget,     ///< whatever its answer, it changes nothing any more
  tell_client ///< the client gets an error instead of an answer
};

struct request_transition {
  request_phase from;
  request_event on;
  request_phase to;
  request_effect effect;
};

/// What becomes of a request: a row for each phase that can end and each event. What was refused
/// was never in force, and what is not answered is not known to be; so only `accepted` agrees.
inline constexpr std::array<request_transition, 18> request_transitions{{
    {request_phase::asked, request_event::accepted, request_phase::over, request_effect::agree},
    {request_phase::asked, request_event::refused, request_phase::over, request_effect::none},
    {request_phase::asked, request_event::cancelled, request_phase::withdrawn,
     request_effect::none},
    {request_phase::asked, request_event::superseded, request_phase::asked, request_effect::forget},
    {request_phase::asked, request_event::taken_back, request_phase::over, request_effect::none},
    {request_phase::asked, request_event::engine_lost, request_phase::over,
     request_effect::tell_client},
    {request_phase::opening, request_event::accepted, request_phase::over, request_effect::agree},
    {request_phase::opening, request_event::refused, request_phase::over, request_effect::none},
    {request_phase::opening, request_event::cancelled, request_phase::withdrawn,
     request_effect::none},
    {request_phase::opening, request_event::superseded, request_phase::asked,
     request_effect::forget},
    {request_phase::opening, request_event::taken_back, request_phase::over, request_effect::none},
    // The next engine is asked under the same id.
    {request_phase::opening, request_event::engine_lost, request_phase::opening,
     request_effect::none},
    {request_phase::withdrawn, request_event::accepted, request_phase::over, request_effect::agree},
    {request_phase::withdrawn, request_event::refused, request_phase::over, request_effect::none},
    {request_phase::withdrawn, request_event::cancelled, request_phase::withdrawn,
     request_effect::none},
    {request_phase::withdrawn, request_event::superseded, request_phase::withdrawn,
     request_effect::forget},
    {request_phase::withdrawn, request_event::taken_back, request_phase::over,
     request_effect::none},
    {request_phase::withdrawn, request_event::engine_lost, request_phase::over,
     request_effect::none},
}};

} // namespace gasoline
