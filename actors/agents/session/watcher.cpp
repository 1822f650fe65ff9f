#include "actors/agents/session/watcher.hpp"

#include "actors/base/exception_guard.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/json/object_members.hpp"

#include <chrono>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using watcher_pointer = watcher_actor::stateful_pointer<watcher_state>;

constexpr std::uint16_t close_normal = 1000;
constexpr std::uint16_t close_going_away = 1001;
constexpr std::uint16_t close_policy = 1008;

void flush(watcher_pointer self) {
  auto& state = self->state;
  auto frames = state.queue->take();
  if (frames.empty())
    return;
  state.last_activity = self->clock().now();
  const auto taken = state.setup->port->send(std::move(frames), state.queue->pace());
  if (taken == 0)
    return;
  state.queue->sent(taken);
  // More goes on in a turn of its own, so that one client does not keep others waiting.
  if (state.queue->waiting() > 0 || state.replaying)
    self->send(self, sent_atom_v, std::uint64_t{0});
}

/// Tells the session that this client takes no more.
void leave(watcher_pointer self, const std::string& reason) {
  auto& state = self->state;
  if (!state.following)
    return;
  state.following = false;
  state.attached = false;
  self->send(state.setup->session, leave_atom_v, reason, state.queue->written());
}

void close(watcher_pointer self, std::uint16_t code, std::string_view reason,
           std::string_view message) {
  leave(self, std::string{reason});
  self->state.setup->port->close(code, dumped({{"code", reason}, {"message", message}}));
  self->quit();
}

void close_slow(watcher_pointer self) {
  close(self, close_policy, "client_too_slow", "Outbound queue overflowed; reconnect with replay.");
}

void reply(watcher_pointer self, const json& frame) {
  auto& queue = *self->state.queue;
  if (queue.full())
    return close_slow(self);
  queue.push_reply(std::make_shared<const std::string>(dumped(frame)));
  flush(self);
}

// ---- subscribe ----

/// The subscription fails; the client may subscribe again on this connection.
void refuse(watcher_pointer self, std::string_view code, std::string_view message) {
  auto& state = self->state;
  leave(self, "refused");
  state.filter.reset();
  state.replaying.reset();
  state.queue->drop_held();
  reply(self, {{"type", "subscribe_error"}, {"code", code}, {"message", message}});
}

void subscribe(watcher_pointer self, const json& frame);

/// The cursor is of no use. Who can say nothing gets a snapshot instead.
void refuse_cursor(watcher_pointer self, std::string_view code, std::string_view message) {
  auto& state = self->state;
  const auto filter = state.filter ? to_json_document(*state.filter) : json();
  const bool any_type = state.filter && state.filter->any_type;
  refuse(self, code, message);
  if (!state.setup->only_listens)
    return;
  auto frame = json{{"type", "subscribe"}, {"filter", filter}, {"snapshot", true}};
  if (any_type)
    frame["filter"]["event_types"] = nullptr;
  subscribe(self, frame);
}

void acknowledge(watcher_pointer self, std::uint64_t replay_events, bool with_snapshot) {
  auto& state = self->state;
  reply(self, {{"type", "subscribe_ack"},
               {"resolved_filter", to_json_document(*state.filter)},
               {"since", state.since},
               {"snapshot", with_snapshot},
               {"replay_event_count", replay_events}});
}

void continue_replay(watcher_pointer self);

void take_page(watcher_pointer self, const event_page& page) {
  auto& state = self->state;
  if (!state.replaying)
    return;
  auto& replaying = *state.replaying;
  replaying.asked = false;
  if (!page.events.empty())
    replaying.range.after = page.events.back()->id;
  for (const auto& e : replaying.merge.next(page.events, page.last))
    state.queue->push_replayed(frame_of(e));
  if (page.last) {
    state.replaying.reset();
    state.queue->go_live();
  }
  flush(self);
  continue_replay(self);
}

/// Asks for the next page while the last one is being written: a replay is as fast as its client
/// and needs no more memory than two pages.
void continue_replay(watcher_pointer self) {
  auto& state = self->state;
  const auto size = state.setup->limit.session.replay_page;
  if (!state.replaying || state.replaying->asked || state.queue->waiting() >= size)
    return;
  state.replaying->asked = true;
  self->request(state.setup->reader, caf::infinite, replay_atom_v, state.replaying->range,
                *state.filter, size)
      .then([self](const event_page& page) { take_page(self, page); },
            [self](const caf::error&) {
              close(self, close_going_away, "trace_unavailable", "The trace cannot be read.");
            });
}

/// Replays the events after `since` up to the point where live events begin.
void begin_replay(watcher_pointer self, const attach_point& point, const std::string& since) {
  auto& state = self->state;
  event_range range{state.setup->session_id, state.filter->with_workers, since, point.head};
  replay_merge merge{point.open, *state.filter, state.setup->session_id, since};
  state.replaying = watcher_state::replay{std::move(range), std::move(merge), false};
  continue_replay(self);
}

void send_snapshot(watcher_pointer self, const attach_point& point, const message_list& messages) {
  const auto most = self->state.setup->limit.session.snapshot_messages;
  const bool more = messages.size() > most;
  auto list = json::array();
  for (std::size_t i = more ? messages.size() - most : 0; i < messages.size(); ++i)
    list.push_back(to_json_document(*messages[i]));
  acknowledge(self, 0, true);
  reply(self, {{"type", "snapshot"},
               {"session", to_json_document(point.summary)},
               {"messages", std::move(list)},
               {"has_more", more},
               {"snapshot_at_event_id", point.snapshot}});
  begin_replay(self, point, point.snapshot);
}

void begin_with_snapshot(watcher_pointer self, const attach_point& point) {
  const auto& setup = *self->state.setup;
  message_query query;
  query.session_id = setup.session_id;
  query.upto_event = point.snapshot;
  query.limit = setup.limit.session.snapshot_messages + 1; // one more tells whether there are more
  self->request(setup.reader, caf::infinite, messages_atom_v, query)
      .then([self, point](const message_list& messages) { send_snapshot(self, point, messages); },
            [self](const caf::error&) {
              close(self, close_going_away, "trace_unavailable", "The trace cannot be read.");
            });
}

void replay_if_whole(watcher_pointer self, const attach_point& point, const std::string& since,
                     const range_count& count) {
  auto& state = self->state;
  if (since < count.pruned_through)
    return refuse_cursor(
        self, "cursor_expired",
        "Events after this cursor are no longer kept. Subscribe with snapshot: true.");
  const replay_merge merge{point.open, *state.filter, state.setup->session_id, since};
  const auto total = count.matching + merge.open_events();
  const auto cap = state.setup->limit.session.replay_events;
  if (total > cap)
    return refuse_cursor(self, "replay_too_large",
                         "Gap exceeds replay limit of " + std::to_string(cap) +
                             " events. Reconnect with snapshot: true.");
  acknowledge(self, total, false);
  begin_replay(self, point, since);
}

void begin_with_cursor(watcher_pointer self, const attach_point& point, const std::string& since) {
  const auto& setup = *self->state.setup;
  const auto made = is_id(id_kind::record, since) ? time_of_id(since) : std::nullopt;
  if (!made)
    return refuse_cursor(self, "cursor_expired",
                         "The cursor is no event id. Subscribe with snapshot: true.");
  const auto oldest = setup.clock(self->clock().now()) -
                      std::chrono::milliseconds{setup.limit.session.event_age_ms};
  if (*made < oldest || since > point.head)
    return refuse_cursor(self, "cursor_expired",
                         "This cursor is not among the events that are kept. Subscribe with "
                         "snapshot: true.");
  const event_range range{setup.session_id, self->state.filter->with_workers, since, point.head};
  self->request(setup.reader, caf::infinite, counts_atom_v, range, *self->state.filter,
                setup.limit.session.replay_events)
      .then([self, point,
             since](const range_count& count) { replay_if_whole(self, point, since, count); },
            [self](const caf::error&) {
              close(self, close_going_away, "trace_unavailable", "The trace cannot be read.");
            });
}

void begin_live(watcher_pointer self) {
  acknowledge(self, 0, false);
  self->state.queue->go_live();
  flush(self);
}

void begin(watcher_pointer self, const attach_point& point, bool with_snapshot) {
  const auto& since = self->state.since;
  if (with_snapshot)
    begin_with_snapshot(self, point);
  else if (since.is_string())
    begin_with_cursor(self, point, since.get<std::string>());
  else
    begin_live(self);
}

/// Why the frame is no subscription, or nothing.
std::optional<std::string> subscribe_fault(const json& frame) {
  if (!frame.contains("filter"))
    return "The subscribe frame lacks 'filter'; give a filter object, \"preset:chat\" or "
           "\"preset:full\".";
  if (frame.contains("since") && !frame["since"].is_string() && !frame["since"].is_null())
    return "'since' must be an event id or null.";
  if (frame.contains("snapshot") && !frame["snapshot"].is_boolean())
    return "'snapshot' must be true or false.";
  return std::nullopt;
}

void subscribe(watcher_pointer self, const json& frame) {
  auto& state = self->state;
  if (!state.setup->session)
    return refuse(self, "session_not_found", "This session has been deleted.");
  // Refusing through `refuse` would end the subscription that holds.
  if (state.filter)
    return reply(self, {{"type", "subscribe_error"},
                        {"code", "invalid_filter"},
                        {"message", "This connection has subscribed already; open another one "
                                    "for another filter."}});
  if (const auto fault = subscribe_fault(frame))
    return refuse(self, "invalid_filter", *fault);
  const auto filter = parse_session_filter(frame["filter"]);
  if (!filter)
    return refuse(self, "invalid_filter", filter.error().message);
  state.filter = *filter;
  state.since = frame.value("since", json(nullptr));
  const bool with_snapshot = frame.value("snapshot", false);
  // From the moment the session handles this, every event that it shows follows its answer and is
  // held back here until the snapshot or the replay up to that moment has been sent.
  state.following = true;
  self->request(state.setup->session, caf::infinite, follow_atom_v, session_follower{self}, *filter,
                state.setup->name)
      .then(
          [self, with_snapshot](const attach_point& point) {
            self->state.attached = true;
            begin(self, point, with_snapshot);
          },
          [self](const caf::error&) {
            self->state.following = false;
            refuse(self, "session_not_found", "This session has been deleted.");
          });
}

// ---- other frames ----

void cancel(watcher_pointer self, const json& frame) {
  const agent_turn_id turn{text_member(frame, "turn_id")};
  const auto tell_unknown = [self, turn] {
    reply(self, {{"type", "cancel_error"},
                 {"code", "turn_not_in_flight"},
                 {"turn_id", turn},
                 {"message", "This session has no such turn in flight or queued; nothing was "
                             "cancelled."}});
  };
  if (turn.empty() || !self->state.setup->session)
    return tell_unknown();
  self->request(self->state.setup->session, caf::infinite, cancel_atom_v, turn,
                text_member(frame, "reason"))
      .then(
          [tell_unknown](bool known) {
            if (!known)
              tell_unknown();
          },
          [](const caf::error&) {}); // the session has ended, which is told by itself
}

void refuse_permission(watcher_pointer self, const std::string& request_id, std::string_view code,
                       std::string_view message) {
  reply(self, {{"type", "permission_error"},
               {"code", code},
               {"request_id", request_id},
               {"message", message}});
}

/// A person's answer to `permission.requested`. What follows is told by `permission.resolved`.
void permit(watcher_pointer self, const json& frame) {
  const auto request = text_member(frame, "request_id");
  const auto decision = parse_name<permission_decision>(text_member(frame, "decision"));
  if (!self->state.setup->trusted)
    return refuse_permission(self, request, "token_needed",
                             "Permissions are given by who has the token: attach with "
                             "'Authorization: Bearer …'.");
  if (!decision)
    return refuse_permission(self, request, "invalid_decision",
                             "'decision' must be one of " + all_names<permission_decision>() + ".");
  if (!self->state.setup->session)
    return;
  self->request(self->state.setup->session, caf::infinite, permit_atom_v, request, *decision)
      .then(
          [self, request](bool waited) {
            if (!waited)
              refuse_permission(self, request, "request_not_open",
                                "No such request waits for an answer.");
          },
          [](const caf::error&) {});
}

void answer_ping(watcher_pointer self, const json& frame) {
  const auto nonce = frame.find("nonce");
  const bool given = nonce != frame.end() && nonce->is_string();
  reply(self, {{"type", "pong"}, {"nonce", given ? nonce->get<std::string>() : std::string{}}});
}

void receive(watcher_pointer self, const std::string& text) {
  auto& state = self->state;
  state.last_activity = self->clock().now();
  state.pings = 0;
  const auto frame = json::parse(text, nullptr, false);
  if (!frame.is_object() || !frame.contains("type") || !frame["type"].is_string())
    return close(self, close_policy, "invalid_frame",
                 "Frames are JSON objects with a string 'type'.");
  const auto& type = frame["type"].get_ref<const std::string&>();
  if (type == "subscribe")
    subscribe(self, frame);
  else if (type == "cancel")
    cancel(self, frame);
  else if (type == "permission")
    permit(self, frame);
  else if (type == "ping")
    answer_ping(self, frame);
  // Other types, `pong` among them, need no answer; later versions of clients may know more.
}

void deliver(watcher_pointer self, const session_events& events) {
  auto& state = self->state;
  if (!state.attached)
    return;
  if (state.queue->full())
    return close_slow(self);
  for (const auto& e : events)
    state.queue->push_live(frame_of(e));
  flush(self);
}

// ---- heartbeat ----

void heartbeat(watcher_pointer self);

void schedule_heartbeat(watcher_pointer self, mono_time due) {
  const auto now = self->clock().now();
  self->state.timers.start(self, std::max(due - now, mono_time::duration::zero()),
                           [self] { heartbeat(self); });
}

void heartbeat(watcher_pointer self) {
  auto& state = self->state;
  const auto period = std::chrono::milliseconds{state.setup->limit.session.ping_ms};
  const auto now = self->clock().now();
  if (state.pings == 0 && now < state.last_activity + period)
    return schedule_heartbeat(self, state.last_activity + period);
  if (!state.setup->only_listens && state.pings >= state.setup->limit.session.pings_missed)
    return close(self, close_going_away, "heartbeat_timeout",
                 "The client has not answered its pings.");
  ++state.pings;
  reply(self, {{"type", "ping"}, {"nonce", std::to_string(++state.last_ping)}});
  schedule_heartbeat(self, now + period);
}

void end(watcher_pointer self, bool deleted) {
  self->state.following = false;
  if (deleted)
    close(self, close_normal, "session_deleted", "The session was deleted.");
  else
    close(self, close_going_away, "server_shutdown", "The server ends; reconnect later.");
}

} // namespace

watcher_actor::behavior_type watcher(watcher_pointer self, watcher_setup setup) {
  guard_exceptions(self);
  auto& state = self->state;
  state.queue.emplace(setup.limit.session.client_queue, setup.limit.session.client_batch);
  state.setup = std::move(setup);
  state.last_activity = self->clock().now();
  if (state.setup->session)
    self->monitor(state.setup->session);
  else
    self->monitor(state.setup->reader); // ends with the engine, which must not wait for this client
  self->set_down_handler([self](const caf::down_msg& down) {
    end(self, self->state.setup->session && down.reason == caf::exit_reason::normal);
  });
  schedule_heartbeat(self, state.last_activity +
                               std::chrono::milliseconds{state.setup->limit.session.ping_ms});
  return {
      [self](receive_atom, const std::string& text) { receive(self, text); },
      [self](sent_atom, std::uint64_t frames) {
        self->state.queue->sent(frames);
        flush(self);
        continue_replay(self);
      },
      [self](deliver_atom, const session_events& events) { deliver(self, events); },
      [self](closed_atom, bool deleted) { end(self, deleted); },
      [self](closed_atom) {
        leave(self, "disconnected");
        self->quit();
      },
  };
}

} // namespace gasoline
