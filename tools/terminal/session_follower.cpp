#include "tools/terminal/session_follower.hpp"

#include "messages/base/json/object_members.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr milliseconds first_delay = 250ms; // doubles with each attempt that fails
constexpr milliseconds longest_delay = 10s;
constexpr unsigned most_doublings = 16; // more would change nothing
constexpr milliseconds stable_after = 5s;
constexpr milliseconds subscribe_within = 10s; // attaching, connecting and subscribing together
// The engine pings earlier than this; one that is silent for so long may be gone without a word.
constexpr milliseconds ping_after = 45s;
constexpr milliseconds pong_within = 15s;

constexpr std::uint16_t close_done = 1000;
constexpr std::uint16_t close_policy = 1008;
constexpr std::uint16_t close_given_up = 4000;

std::string text_member_or(const json& object, const char* key, std::string otherwise) {
  const auto& value = json_member(object, key);
  return value.is_string() ? value.get<std::string>() : std::move(otherwise);
}

json parsed(std::string_view text) {
  return json::parse(text, nullptr, false);
}

/// What another attempt would not change. Timeouts, early data and too many requests pass by.
bool is_refusal(unsigned status) {
  return status >= 400 && status < 500 && status != 408 && status != 425 && status != 429;
}

session_end refusal_of(const session_attach_answer& answer) {
  const auto body = parsed(answer.body);
  const auto& error = json_member(body, "error");
  const auto status = std::to_string(answer.status);
  return {
      text_member_or(error, "code", answer.status == 404 ? "session_not_found" : "http_" + status),
      text_member_or(error, "message", "The engine answered with status " + status + ".")};
}

/// Whether trying again would not help. With 1008 the engine closes clients that were too slow, who
/// come back, and those that it will not have, who must not.
bool is_final(std::uint16_t code, const std::string& told) {
  static constexpr std::array<std::uint16_t, 6> codes{1000, 1002, 1003, 1007, 1009, 1010};
  if (code == close_policy)
    return !told.empty() && told != "client_too_slow";
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

} // namespace

session_follower::session_follower(session_subscription subscription,
                                   std::function<double()> random)
    : subscription_(std::move(subscription)),
      random_(std::move(random)),
      needs_snapshot_(!subscription_.since) {}

session_actions session_follower::start(milliseconds now) {
  return state_ == follower_state::idle ? attach(now) : session_actions{};
}

session_actions session_follower::attached(const std::optional<session_attach_answer>& answer,
                                           milliseconds now) {
  if (state_ != follower_state::attaching)
    return {};
  if (answer && is_refusal(answer->status))
    return finish(refusal_of(*answer));
  const auto url =
      answer && answer->status == 200 ? text_member(parsed(answer->body), "ws_url") : std::string{};
  if (url.empty())
    return wait(now, answer ? answer->retry_after : 0ms);
  state_ = follower_state::connecting;
  return {connect_action{url}};
}

session_actions session_follower::opened() {
  if (state_ != follower_state::connecting)
    return {};
  state_ = follower_state::subscribing;
  const json since = needs_snapshot_ ? json(nullptr) : json(*subscription_.since);
  return {send_action{{{"type", "subscribe"},
                       {"filter", subscription_.filter},
                       {"since", since},
                       {"snapshot", needs_snapshot_}}}};
}

session_actions session_follower::received(std::string_view text, milliseconds now) {
  if (state_ != follower_state::subscribing && state_ != follower_state::live)
    return {};
  if (state_ == follower_state::live)
    heard(now);
  const auto frame = parsed(text);
  const auto type = text_member(frame, "type");
  if (type == "event")
    return take_event(frame);
  if (type == "snapshot")
    return take_snapshot(frame);
  if (type == "subscribe_ack")
    return acknowledged(now);
  if (type == "subscribe_error")
    return refused(frame, now);
  if (type == "ping")
    return {send_action{{{"type", "pong"}, {"nonce", text_member(frame, "nonce")}}}};
  return {};
}

session_actions session_follower::closed(std::uint16_t code, std::string_view reason,
                                         milliseconds now) {
  if (!has_socket())
    return {};
  const auto told = parsed(reason);
  const auto told_code = text_member(told, "code");
  if (!is_final(code, told_code))
    return wait(now, 0ms);
  const auto number = std::to_string(code);
  return finish({told_code.empty() ? "closed_" + number : told_code,
                 text_member_or(told, "message",
                                "The engine closed the connection with code " + number + ".")});
}

session_actions session_follower::tick(milliseconds now) {
  if (!deadline_ || now < *deadline_)
    return {};
  if (state_ == follower_state::waiting)
    return attach(now);
  if (state_ == follower_state::live && !waits_for_pong_)
    return ping(now);
  // A connection that does not answer may hang for minutes, so it is given up.
  session_actions out;
  if (has_socket())
    out.emplace_back(close_action{close_given_up});
  wait(now, 0ms);
  return out;
}

// ---- frames ----

session_actions session_follower::acknowledged(milliseconds now) {
  if (state_ != follower_state::subscribing)
    return {};
  state_ = follower_state::live;
  live_since_ = now;
  heard(now);
  return {};
}

/// What was missed cannot be had event by event any more: a new connection and a snapshot will do.
/// That is no failure, so it does not wait.
session_actions session_follower::refused(const json& frame, milliseconds now) {
  if (state_ != follower_state::subscribing)
    return {};
  session_actions out{close_action{close_done}};
  const auto code = text_member(frame, "code");
  if (code != "cursor_expired" && code != "replay_too_large") {
    finish({code, text_member(frame, "message")});
    return out;
  }
  if (needs_snapshot_) {
    wait(now, 0ms);
    return out;
  }
  needs_snapshot_ = true;
  for (auto& action : attach(now))
    out.push_back(std::move(action));
  return out;
}

session_actions session_follower::take_snapshot(const json& frame) {
  const auto& cursor = json_member(frame, "snapshot_at_event_id");
  if (state_ != follower_state::live || !json_member(frame, "session").is_object() ||
      !json_member(frame, "messages").is_array() || !cursor.is_string())
    return {};
  subscription_.since = cursor.get<std::string>();
  needs_snapshot_ = false;
  return {show_action{frame}};
}

/// Ids rise, so what is not above the cursor has been seen: replays may overlap.
session_actions session_follower::take_event(const json& frame) {
  const auto& event = json_member(frame, "event");
  if (state_ != follower_state::live || !json_member(event, "id").is_string() ||
      !json_member(event, "type").is_string() || !json_member(event, "payload").is_object())
    return {};
  auto id = event.at("id").get<std::string>();
  if (subscription_.since && id <= *subscription_.since)
    return {};
  subscription_.since = std::move(id);
  return {show_action{frame}};
}

// ---- connections ----

session_actions session_follower::attach(milliseconds now) {
  state_ = follower_state::attaching;
  live_since_.reset();
  deadline_ = now + subscribe_within;
  return {attach_action{}};
}

/// Waits twice as long with each failure, and not as long as others who lost the same engine.
session_actions session_follower::wait(milliseconds now, milliseconds at_least) {
  if (live_since_ && now - *live_since_ >= stable_after)
    attempts_ = 0;
  const auto longest = std::min<milliseconds>(
      longest_delay, first_delay * (1U << std::min(attempts_, most_doublings)));
  ++attempts_;
  live_since_.reset();
  state_ = follower_state::waiting;
  const milliseconds drawn{
      std::llround(static_cast<double>(longest.count()) * (1 + random_()) / 2)};
  deadline_ = now + std::max(at_least, drawn);
  return {};
}

session_actions session_follower::finish(session_end end) {
  state_ = follower_state::ended;
  deadline_.reset();
  end_ = std::move(end);
  return {};
}

bool session_follower::has_socket() const {
  return state_ == follower_state::connecting || state_ == follower_state::subscribing ||
         state_ == follower_state::live;
}

// ---- heartbeat ----

void session_follower::heard(milliseconds now) {
  waits_for_pong_ = false;
  deadline_ = now + ping_after;
}

session_actions session_follower::ping(milliseconds now) {
  waits_for_pong_ = true;
  deadline_ = now + pong_within;
  return {send_action{{{"type", "ping"}, {"nonce", "c" + std::to_string(++pings_)}}}};
}

} // namespace gasoline
