#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gasoline {

/// Which session is followed, and from where.
struct session_subscription {
  std::string session_id;
  nlohmann::json filter;            ///< of the subscribe frame
  std::optional<std::string> since; ///< id of the last event that is known; none: a snapshot first
};

/// The answer to `GET /sessions/{id}`.
struct session_attach_answer {
  unsigned status = 0;
  std::string body;
  std::chrono::milliseconds retry_after{0}; ///< of its `Retry-After`; 0: none
};

/// Ask `GET /sessions/{id}`; the answer goes into `attached`.
struct attach_action {};

/// Open a WebSocket; then `opened`, `received` and `closed` tell of it.
struct connect_action {
  std::string url;
};

/// Send this frame.
struct send_action {
  nlohmann::json frame;
};

/// Close the WebSocket, or give up opening it; nothing more of it must be told.
struct close_action {
  std::uint16_t code = 0;
};

/// Show this `snapshot` or `event` frame; each event comes once, in the order of its id.
struct show_action {
  nlohmann::json frame;
};

using session_action =
    std::variant<attach_action, connect_action, send_action, close_action, show_action>;
using session_actions = std::vector<session_action>;

/// Why following is over.
struct session_end {
  std::string code;
  std::string message; ///< a sentence
};

enum class follower_state : std::uint8_t {
  idle,
  attaching,
  connecting,
  subscribing,
  live,
  waiting, ///< for the next attempt
  ended
};

/// What a client of a session's stream does next, as a state machine: the counterpart in C++ of
/// `session_stream` in tools/page_script/session_client/session_stream.mjs, proved by the same
/// traces (tests/session_traces). It has neither clock nor socket: time since any fixed start and
/// frames go in, actions come out.
class session_follower {
 public:
  using milliseconds = std::chrono::milliseconds;

  /// `random` draws from [0, 1), so that clients who lost the same server do not come back at once.
  session_follower(session_subscription subscription, std::function<double()> random);

  session_actions start(milliseconds now);

  /// Nothing: there was no answer.
  session_actions attached(const std::optional<session_attach_answer>& answer, milliseconds now);

  session_actions opened();

  session_actions received(std::string_view text, milliseconds now);

  session_actions closed(std::uint16_t code, std::string_view reason, milliseconds now);

  /// Time has come to `deadline`.
  session_actions tick(milliseconds now);

  follower_state state() const { return state_; }

  /// When `tick` is due.
  std::optional<milliseconds> deadline() const { return deadline_; }

  /// Set once it is over; nothing follows then.
  const std::optional<session_end>& end() const { return end_; }

 private:
  using json = nlohmann::json;

  session_actions acknowledged(milliseconds now);
  session_actions refused(const json& frame, milliseconds now);
  session_actions take_snapshot(const json& frame);
  session_actions take_event(const json& frame);

  session_actions attach(milliseconds now);
  session_actions wait(milliseconds now, milliseconds at_least);
  session_actions finish(session_end end);
  session_actions ping(milliseconds now);
  bool has_socket() const;
  void heard(milliseconds now);

  session_subscription subscription_;
  std::function<double()> random_;
  follower_state state_ = follower_state::idle;
  std::optional<milliseconds> deadline_;
  std::optional<session_end> end_;
  bool needs_snapshot_;
  unsigned attempts_ = 0; // since the last connection that lasted
  std::optional<milliseconds> live_since_;
  bool waits_for_pong_ = false;
  std::uint64_t pings_ = 0;
};

} // namespace gasoline
