#include "actors/alerts/alert_buffer.hpp"

#include "actors/alerts/alert_synthesis.hpp"
#include "actors/alerts/hook_text.hpp"
#include "actors/base/exception_guard.hpp"
#include "messages/alerts/alert_json.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

using nlohmann::json;
using buffer_pointer = alert_ledger_actor::stateful_pointer<alert_buffer_state>;
using id_list = std::vector<std::uint64_t>;

/// The reader that the client is, from now on with a record of what it came too late for.
reader_id reader_of(buffer_pointer self, client_id client) {
  auto& state = self->state;
  const auto reader = state.readers.reader_of(client, self->clock().now());
  state.missed.try_emplace(reader, state.log.appended() - state.log.size());
  return reader;
}

std::vector<merged_alert> unread(const alert_buffer_state& state, reader_id reader) {
  auto out = state.log.all();
  std::erase_if(out, [&](const merged_alert& m) { return state.ledger.is_read(reader, m.id); });
  return out;
}

void mark_shown(buffer_pointer self, reader_id reader, const id_list& ids, shown_channel by) {
  auto& state = self->state;
  for (const auto id : ids) {
    const auto* m = state.log.find(id);
    if (!m)
      continue;
    state.ledger.note_shown(reader, *m, by, self->clock().now());
    state.log.close(id);
  }
}

/// Those that are as they were when they were told: what has come again since is news.
id_list unchanged(const alert_log& log, const told_alerts& told) {
  id_list out;
  for (const auto& [id, count] : told.alerts) {
    const auto* m = log.find(id);
    if (m && (count == 0 || m->count == count))
      out.push_back(id);
  }
  return out;
}

id_list ids_of(const std::vector<merged_alert>& alerts) {
  id_list out;
  out.reserve(alerts.size());
  for (const auto& m : alerts)
    out.push_back(m.id);
  return out;
}

alert_block drain(buffer_pointer self, client_id client) {
  const auto reader = reader_of(self, client);
  const auto alerts = unread(self->state, reader);
  auto told = synthesise(alerts, self->state.limit);
  const std::unordered_set<std::uint64_t> left(told.left.begin(), told.left.end());
  auto shown = ids_of(alerts);
  std::erase_if(shown, [&](std::uint64_t id) { return left.count(id) > 0; });
  mark_shown(self, reader, shown, shown_channel::block);
  told.block.ids = std::move(shown);
  return std::move(told.block);
}

alert_listing list(buffer_pointer self, client_id client) {
  const auto reader = reader_of(self, client);
  auto alerts = self->state.log.all();
  std::sort(alerts.begin(), alerts.end(), [](const merged_alert& a, const merged_alert& b) {
    return a.last_raised != b.last_raised ? a.last_raised > b.last_raised : a.id > b.id;
  });
  alert_listing out;
  out.items.reserve(alerts.size());
  for (const auto& m : alerts)
    out.items.push_back({m.id, m.count, !self->state.ledger.is_read(reader, m.id),
                         full_alert_text(m, self->state.limit)});
  return out;
}

void pass_over(buffer_pointer self, client_id client) {
  const auto reader = reader_of(self, client);
  for (const auto& m : self->state.log.all()) {
    self->state.ledger.note_passed(reader, m.id);
    self->state.log.close(m.id);
  }
}

void forget(alert_buffer_state& state, reader_id reader) {
  state.ledger.forget(reader);
  state.missed.erase(reader);
}

void forget_expired(buffer_pointer self) {
  for (const auto reader : self->state.readers.take_expired(self->clock().now()))
    forget(self->state, reader);
}

// Hooks

/// The alerts that the conversation has to be told of by a hook: an alert of a fault that it knows
/// waits for the next call of `observe`, unless it is worse now.
std::vector<merged_alert> unseen(const alert_buffer_state& state, reader_id reader,
                                 bool errors_only) {
  auto out = state.log.all();
  std::erase_if(out, [&](const merged_alert& m) {
    return state.ledger.knows(reader, m) || (errors_only && m.shown->level != severity::error);
  });
  return out;
}

reader_id hook_reader(buffer_pointer self, const hook_question& question) {
  auto& state = self->state;
  const auto heard = state.readers.hook_asked(question, self->clock().now());
  if (heard.same != 0) {
    state.ledger.join(heard.same, heard.reader);
    if (const auto earlier = state.missed.extract(heard.same); !earlier.empty())
      state.missed.try_emplace(heard.reader, earlier.mapped());
  }
  state.missed.try_emplace(heard.reader, state.log.appended() - state.log.size());
  forget_expired(self);
  return heard.reader;
}

hook_answer answer_hook(buffer_pointer self, const hook_question& question) {
  auto& state = self->state;
  const auto reader = hook_reader(self, question);
  if (question.compacted)
    state.ledger.forget_shown(reader);
  if (question.only_listens)
    return {};
  auto out = hook_text(unseen(state, reader, question.errors_only), state.limit);
  out.reader = reader;
  mark_shown(self, reader, out.told, shown_channel::hook);
  return out;
}

void take_back(alert_buffer_state& state, reader_id reader, const id_list& ids) {
  for (const auto id : ids)
    if (const auto* m = state.log.find(id))
      state.ledger.take_back(reader, *m);
}

// Reports

reader_report report_of(const alert_buffer_state& state, reader_directory::entry who) {
  reader_report out;
  out.reader = who.reader;
  out.agent = std::move(who.agent);
  out.clients = std::move(who.clients);
  out.conversation = std::move(who.conversation);
  out.directory = std::move(who.directory);
  out.last_hook = who.last_hook;
  const auto missed = state.missed.find(who.reader);
  out.raised = state.log.appended() - (missed == state.missed.end() ? 0 : missed->second);
  out.sent = state.ledger.sent(who.reader);
  out.shown = state.ledger.shown(who.reader);
  out.pending = unread(state, who.reader).size();
  return out;
}

json report_json(const reader_report& r, mono_time now) {
  json shown = json::object();
  for (const auto& [channel, name] : enum_table<shown_channel>::rows)
    shown[std::string{name}] = r.shown[static_cast<std::size_t>(channel)];
  json out{{"reader", r.reader}, {"clients", r.clients},      {"raised", r.raised},
           {"sent", r.sent},     {"shown", std::move(shown)}, {"pending", r.pending}};
  if (!r.agent.empty())
    out["agent"] = r.agent;
  if (!r.conversation.empty())
    out["conversation"] = r.conversation;
  if (!r.directory.empty())
    out["directory"] = r.directory;
  if (r.last_hook)
    out["last_hook_seconds"] =
        std::chrono::duration_cast<std::chrono::seconds>(now - *r.last_hook).count();
  return out;
}

health_part health_of(buffer_pointer self) {
  const auto& state = self->state;
  json conversations = json::array();
  for (auto& who : state.readers.entries())
    conversations.push_back(report_json(report_of(state, std::move(who)), self->clock().now()));
  return std::make_shared<const json>(
      json{{"alerts", {{"buffered", state.log.size()}, {"merged", state.log.merged()}}},
           {"conversations", std::move(conversations)},
           {"dropped", {{"alerts_unread", state.log.evicted_unread()}}}});
}

} // namespace

alert_ledger_actor::behavior_type
alert_buffer(alert_ledger_actor::stateful_pointer<alert_buffer_state> self, limits limit) {
  auto& state = self->state;
  state.log = alert_log{limit};
  state.ledger = shown_ledger{};
  state.readers = reader_directory{};
  state.limit = limit;
  guard_exceptions(self);
  return {
      [self](alert_atom, const alert_ptr& a, const ticket_ptr&) {
        self->state.log.append(a);
        self->state.ledger.keep_from(self->state.log.oldest());
      },
      [self](drain_atom, client_id client) { return drain(self, client); },
      [self](list_atom, client_id client) { return list(self, client); },
      [self](shown_atom, client_id client, const told_alerts& told, shown_channel by) {
        mark_shown(self, reader_of(self, client), unchanged(self->state.log, told), by);
      },
      [self](pushed_atom, client_id client, std::uint64_t alerts) {
        self->state.ledger.note_sent(reader_of(self, client), alerts);
      },
      [self](clear_atom, client_id client) { pass_over(self, client); },
      [self](forget_atom, client_id client, const id_list& ids) {
        take_back(self->state, reader_of(self, client), ids);
      },
      [self](join_atom, client_id client, const agent_place& place) {
        self->state.readers.client_came(client, place, self->clock().now());
      },
      [self](forget_atom, client_id client) {
        if (const auto gone = self->state.readers.client_left(client, self->clock().now()))
          forget(self->state, gone);
        forget_expired(self);
      },
      [self](hook_atom, const hook_question& question) { return answer_hook(self, question); },
      [self](cancel_atom, reader_id reader, const id_list& ids) {
        take_back(self->state, reader, ids);
      },
      [self](status_atom, client_id client) {
        return report_of(self->state, *self->state.readers.find(reader_of(self, client)));
      },
      [self](health_atom) { return health_of(self); },
  };
}

} // namespace gasoline
