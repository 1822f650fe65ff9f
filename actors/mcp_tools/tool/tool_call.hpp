#pragma once

#include "actors/mcp/client/client_push.hpp"
#include "actors/mcp/client/request_context.hpp"
#include "messages/alerts/reader_report.hpp"
#include "messages/mcp/tool.hpp"
#include "messages/telemetry/event_snapshot.hpp"
#include "messages/telemetry/query.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace gasoline {

/// How the answers of a tool look.
struct answer_manner {
  bool carries_alerts = false; ///< unread alerts come along as a further block
  tool_result (*refusal)(std::string sentence) = error_result;
};

/// One call of a tool, as its `run` sees it: what it can read, ask and tell, and never the state of
/// the client. A cheap handle; valid as long as the client lives; used on the client's actor only.
/// A call is answered exactly once, now or later; answers to a cancelled call go nowhere.
class tool_call : private request_context {
 public:
  tool_call(const request_context& request, answer_manner manner)
      : request_context(request), manner_(manner) {}

  // Time and limits.
  using request_context::limit;
  using request_context::now;
  wall_time wall_now() const;

  // The call itself.
  using request_context::ask;
  using request_context::client_can;
  using request_context::era;
  using request_context::input;
  using request_context::input_state;
  using request_context::is_open;
  using request_context::log;
  using request_context::need_input;
  using request_context::on_cancelled;
  using request_context::progress;
  using request_context::wants_progress;

  // Timers of the call.
  using request_context::after;
  using request_context::stop;

  /// Answers, with the unread alerts of the client where the tool carries them. `lost` is called
  /// instead when the call has been cancelled, so that what `result` tells can be told again.
  void answer(tool_result result, std::function<void()> lost = nullptr) const;

  /// Refuses the call with a sentence that says what is valid, in the tool's own manner and without
  /// alerts.
  void refuse(std::string sentence) const;

  // Reads of the engine's state, which mark nothing as read. `then` runs on the client; when the
  // engine is going down, the call is answered instead.
  void events(store_query query, std::function<void(const store_page&)> then) const;
  void snapshot(std::function<void(const event_snapshot_ptr&, std::uint64_t behind)> then) const;
  void alerts(std::function<void(const alert_listing&)> then) const;
  void ci(std::function<void(const nlohmann::json&)> then) const;
  void health(std::function<void(const nlohmann::json&)> then) const;

  // Other actors of the engine.
  using request_context::ask_engine;
  using request_context::engine;

  // The client that calls.
  using request_context::asker;
  using request_context::client;

  /// Its name, redacted and shortened.
  std::string client_name() const;

  /// Its actor, which can be told of named streams.
  client_actor client_handle() const;

  /// The push of alerts to it.
  client_push& push() const;

  /// What has become of the alerts for its conversation.
  void alert_report(std::function<void(const reader_report&)> then) const;

  /// It is shown these alerts by this answer.
  void mark_shown(told_alerts told, shown_channel by) const;

  /// It wants none of the alerts up to now.
  void pass_over_alerts() const;

  /// It reads from behind that event on; older ones are not shown any more.
  void clear_to(std::uint64_t sequence) const;

  /// Waits for the next alert: `then` gets it, or null when the client has left. False, and nothing
  /// waits, when it has left already. The wait ends when the call is cancelled or `stop_waiting`.
  bool wait_for_alert(std::function<void(const alert_ptr& a)> then, std::uint64_t& wait) const;
  void stop_waiting(std::uint64_t wait) const;

  /// A text of the caller, redacted, as it may be stored.
  std::string redacted(const std::string& text) const;

 private:
  answer_manner manner_;
};

} // namespace gasoline
