#include "actors/alerts/alert_buffer.hpp"

#include "actors/alerts/alert_synthesis.hpp"
#include "actors/alerts/hook_text.hpp"
#include "actors/alerts/scope/other_projects.hpp"
#include "actors/alerts/scope/scope_report.hpp"
#include "actors/base/exception_guard.hpp"
#include "messages/alerts/alert_json.hpp"
#include "messages/base/json/json_text.hpp"

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

/// What the client is told of.
alert_scopes::view scope_of(buffer_pointer self, client_id client) {
  auto& state = self->state;
  return state.scopes.of(state.readers.directories_of(client), self->clock().now());
}

/// The kept alerts of the reader's project that no way has shown.
std::vector<merged_alert> unread(const alert_buffer_state& state, reader_id reader,
                                 const alert_scopes::view& scope, mono_time now) {
  auto out = state.log.all();
  std::erase_if(out, [&](const merged_alert& m) {
    return state.ledger.is_read(reader, m.id) || !scope.covers(m) ||
           state.muted.covers(reader, *m.shown, now);
  });
  return out;
}

std::uint64_t elsewhere(const alert_buffer_state& state, const alert_scopes::view& scope,
                        std::uint64_t after = 0) {
  if (scope.covers_all())
    return 0;
  const auto all = state.log.all();
  return static_cast<std::uint64_t>(std::count_if(
      all.begin(), all.end(), [&](const auto& m) { return m.id > after && !scope.covers(m); }));
}

/// How many alerts of other projects have come since the reader was told of some; they count as
/// told.
std::uint64_t new_elsewhere(alert_buffer_state& state, reader_id reader,
                            const alert_scopes::view& scope) {
  if (scope.covers_all())
    return 0;
  auto& told = state.told_elsewhere[reader];
  const auto out = elsewhere(state, scope, told);
  const auto all = state.log.all();
  if (!all.empty())
    told = all.back().id;
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

/// Puts the number of other projects' alerts behind the first line of the block.
void add_elsewhere(alert_block& block, std::uint64_t alerts, std::uint64_t most_bytes) {
  const auto line = alerts_of_other_projects(alerts) + ", not shown\n";
  if (alerts > 0 && block.text.size() + line.size() <= most_bytes)
    block.text.insert(block.text.find('\n') + 1, line);
}

alert_block drain(buffer_pointer self, client_id client, std::uint64_t bytes) {
  auto limit = self->state.limit;
  limit.alert.block_bytes = std::min(limit.alert.block_bytes, bytes);
  const auto reader = reader_of(self, client);
  const auto scope = scope_of(self, client);
  const auto alerts = unread(self->state, reader, scope, self->clock().now());
  auto told = synthesise(alerts, limit);
  if (told.block.shown == 0)
    return {};
  const std::unordered_set<std::uint64_t> left(told.left.begin(), told.left.end());
  auto shown = ids_of(alerts);
  std::erase_if(shown, [&](std::uint64_t id) { return left.count(id) > 0; });
  mark_shown(self, reader, shown, shown_channel::block);
  told.block.ids = std::move(shown);
  if (!alerts.empty())
    add_elsewhere(told.block, new_elsewhere(self->state, reader, scope), limit.alert.block_bytes);
  return std::move(told.block);
}

alert_listing list(buffer_pointer self, client_id client) {
  const auto reader = reader_of(self, client);
  const auto scope = scope_of(self, client);
  auto alerts = self->state.log.all();
  const auto kept = alerts.size();
  std::erase_if(alerts, [&](const merged_alert& m) { return !scope.covers(m); });
  std::sort(alerts.begin(), alerts.end(), [](const merged_alert& a, const merged_alert& b) {
    return a.last_raised != b.last_raised ? a.last_raised > b.last_raised : a.id > b.id;
  });
  alert_listing out;
  out.elsewhere = kept - alerts.size();
  out.items.reserve(alerts.size());
  for (const auto& m : alerts)
    out.items.push_back({m.id, m.count, !self->state.ledger.is_read(reader, m.id), m.shown->level,
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
  state.muted.forget(reader);
  state.missed.erase(reader);
  state.told_elsewhere.erase(reader);
}

void forget_expired(buffer_pointer self) {
  for (const auto reader : self->state.readers.take_expired(self->clock().now()))
    forget(self->state, reader);
}

// Hooks

/// The alerts that the conversation has to be told of by a hook: an alert of a fault that it knows
/// waits for the next call of `observe`, unless it is worse now.
std::vector<merged_alert> unseen(const alert_buffer_state& state, reader_id reader,
                                 const alert_scopes::view& scope, bool errors_only, mono_time now) {
  auto out = state.log.all();
  std::erase_if(out, [&](const merged_alert& m) {
    return state.ledger.knows(reader, m) || (errors_only && m.shown->level != severity::error) ||
           !scope.covers(m) || state.muted.covers(reader, *m.shown, now);
  });
  return out;
}

/// Two readers turned out to be the same: one history goes on.
void join_histories(alert_buffer_state& state, const reader_directory::heard& heard) {
  if (heard.same == 0)
    return;
  state.ledger.join(heard.same, heard.reader);
  state.muted.join(heard.same, heard.reader);
  if (const auto earlier = state.missed.extract(heard.same); !earlier.empty())
    state.missed.try_emplace(heard.reader, earlier.mapped());
}

reader_id hook_reader(buffer_pointer self, const hook_question& question) {
  auto& state = self->state;
  const auto heard = state.readers.hook_asked(question, self->clock().now());
  state.scopes.know(question.place.directory);
  join_histories(state, heard);
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
  const auto scope = state.scopes.of(state.readers.directories_of(reader, question.place.directory),
                                     self->clock().now());
  auto out = hook_text(unseen(state, reader, scope, question.errors_only, self->clock().now()),
                       state.limit);
  out.reader = reader;
  if (const auto others = out.text.empty() ? 0 : new_elsewhere(state, reader, scope); others > 0)
    out.text += "\n" + alerts_of_other_projects(others) + ", not shown.";
  mark_shown(self, reader, out.told, shown_channel::hook);
  return out;
}

void take_back(alert_buffer_state& state, reader_id reader, const id_list& ids) {
  for (const auto id : ids)
    if (const auto* m = state.log.find(id))
      state.ledger.take_back(reader, *m);
}

// Reports

reader_report report_of(alert_buffer_state& state, reader_directory::entry who, mono_time now) {
  auto directories = std::move(who.roots);
  directories.insert(directories.begin(), who.directory);
  const auto scope = state.scopes.of(directories, now);
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
  out.pending = unread(state, who.reader, scope, now).size();
  out.elsewhere = elsewhere(state, scope);
  out.muted = state.muted.muted(who.reader, now);
  for (const auto& one : scope.mine())
    if (out.scope_problem.empty())
      out.scope_problem = one.problem;
  return out;
}

json report_json(const reader_report& r, mono_time now) {
  json shown = json::object();
  for (const auto& [channel, name] : enum_table<shown_channel>::rows)
    shown[std::string{name}] = r.shown[static_cast<std::size_t>(channel)];
  json out{{"reader", r.reader}, {"clients", r.clients},      {"raised", r.raised},
           {"sent", r.sent},     {"shown", std::move(shown)}, {"pending", r.pending}};
  if (r.elsewhere > 0)
    out["of_other_projects"] = r.elsewhere;
  if (r.muted > 0)
    out["muted"] = r.muted;
  if (!r.scope_problem.empty())
    out["scope_problem"] = r.scope_problem;
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
  auto& state = self->state;
  const auto now = self->clock().now();
  json conversations = json::array();
  for (auto& who : state.readers.entries())
    conversations.push_back(report_json(report_of(state, std::move(who), now), now));
  return std::make_shared<const json>(
      json{{"alerts", {{"buffered", state.log.size()}, {"merged", state.log.merged()}}},
           {"conversations", std::move(conversations)},
           {"dropped", {{"alerts_unread", state.log.evicted_unread()}}}});
}

// Taking alerts in

constexpr std::chrono::milliseconds locating_patience{300};

/// Tells the clients whose project it concerns; of clients in the same directories it is found out
/// once.
void tell_listeners(buffer_pointer self, const alert_ptr& a, const merged_alert& subject) {
  auto& state = self->state;
  std::map<std::vector<std::string>, bool> told;
  for (const auto& [client, listener] : state.listeners) {
    const auto directories = state.readers.directories_of(client);
    auto row = told.find(directories);
    if (row == told.end())
      row = told.emplace(directories,
                         state.scopes.of(directories, self->clock().now()).covers(subject))
                .first;
    if (row->second && !state.muted.covers(reader_of(self, client), *a, self->clock().now()))
      caf::anon_send(listener, alert_atom_v, a);
  }
}

void keep(buffer_pointer self, const alert_ptr& a) {
  auto& state = self->state;
  state.log.append(a);
  state.ledger.keep_from(state.log.oldest());
  if (!a->ends.empty())
    state.ledger.end_fault(a->ends.str());
  if (const auto* over = a->resolved ? state.log.newest(a->ends.str()) : nullptr)
    state.log.close(over->id); // when it comes back, that is another alert
  state.scopes.keep(*a, state.log.oldest());
  // An update may say nothing of where it comes from: the alert that it is about does.
  const auto* known = a->update ? state.log.newest(merge_key(*a)) : nullptr;
  tell_listeners(self, a, known ? *known : merged_alert{a});
}

void locate(buffer_pointer self, const program_key& program);

/// Keeps what was held, in order, as far as it is known whom it concerns.
void keep_held(buffer_pointer self) {
  auto& held = self->state.held;
  while (!held.empty()) {
    if (const auto program = self->state.scopes.to_locate(*held.front().a)) {
      locate(self, *program);
      return;
    }
    keep(self, held.front().a);
    held.pop_front();
  }
}

void note_place(buffer_pointer self, const program_key& program, std::string directory) {
  self->state.scopes.note_place(program, std::move(directory), self->clock().now());
  if (!self->state.held.empty() && !self->state.scopes.to_locate(*self->state.held.front().a))
    keep_held(self);
}

void locate(buffer_pointer self, const program_key& program) {
  self->request(self->state.locator, locating_patience, query_atom_v, program.port, program.pid)
      .then([self, program](const std::string& directory) { note_place(self, program, directory); },
            [self, program](const caf::error&) { note_place(self, program, {}); });
}

void take_in(buffer_pointer self, const alert_ptr& a, const ticket_ptr& ticket) {
  auto& state = self->state;
  if (!state.locator) {
    keep(self, a);
    return;
  }
  if (const auto program = state.scopes.to_look_again(*a, self->clock().now()))
    locate(self, *program);
  const auto program = state.scopes.to_locate(*a);
  if (state.held.empty() && !program) {
    keep(self, a);
    return;
  }
  // When so many wait, the next is not looked for: it concerns everybody.
  if (program && state.held.size() >= state.limit.alert.held)
    state.scopes.note_place(*program, {}, self->clock().now());
  const bool first = state.held.empty();
  state.held.push_back({a, ticket});
  if (first && program)
    locate(self, *program);
}

// Scope

command_answer change_scope(buffer_pointer self, client_id client, const scope_change& change) {
  auto& state = self->state;
  const auto before = scope_of(self, client);
  if (before.mine().empty())
    return {"It is not known in which directory this client works, so it is told of every "
            "project. Start it with `gasoline mcp` in the project's directory.",
            true};
  if (!change.only_shows()) {
    if (!state.readers.has_process(client))
      return {
          "That a client over HTTP says where it works is not enough to write a file there. Run "
          "`gasoline setup project` in the project's directory.",
          true};
    if (const auto problem = state.scopes.files().change(before.mine().front().root, change))
      return {problem->message, true};
  }
  const auto scope = scope_of(self, client);
  return {scope_report(scope.mine(), elsewhere(state, scope)), false};
}

std::vector<std::string> trees_of(buffer_pointer self, client_id client) {
  const auto scope = scope_of(self, client);
  std::vector<std::string> out;
  for (const auto& one : scope.mine())
    out.push_back(one.root);
  return out;
}

/// Which of these are of other projects, by what is known of their programs.
foreign_list foreign_of(buffer_pointer self, client_id client, const provenance_list& asked) {
  const auto scope = scope_of(self, client);
  foreign_list out;
  out.items.reserve(asked.items.size());
  for (const auto& p : asked.items)
    out.items.push_back(!scope.covers(self->state.scopes.located(p)));
  return out;
}

// What a conversation wants done with an alert

std::string done_json(const alert_command& asked, std::string_view status) {
  std::string out;
  json_object_writer w{out};
  w.text("status", status).text("id", "alert_" + std::to_string(asked.id));
  w.close();
  return out;
}

command_answer do_with_alert(buffer_pointer self, client_id client, const alert_command& asked) {
  auto& state = self->state;
  const auto reader = reader_of(self, client);
  const auto* m = state.log.find(asked.id);
  const auto key = m ? merge_key(*m->shown) : std::string{};
  if (asked.what == alert_deed::unmute) {
    if (state.muted.unmute(reader, asked.id, key))
      return {done_json(asked, "unmuted"), false};
    return {"alert_" + std::to_string(asked.id) + " is not muted for you.", true};
  }
  if (!m || !scope_of(self, client).covers(*m))
    return {"There is no alert_" + std::to_string(asked.id) +
                R"( any more, or yet: observe {"what":"alerts"} lists those that are kept.)",
            true};
  state.ledger.note_passed(reader, asked.id);
  state.log.close(asked.id);
  if (asked.what == alert_deed::acknowledge)
    return {done_json(asked, "acknowledged"), false};
  const auto now = self->clock().now();
  state.muted.mute(reader, asked.id, key,
                   asked.lasts ? std::optional{now + *asked.lasts} : std::nullopt);
  return {done_json(asked, "muted"), false};
}

void join(buffer_pointer self, client_id client, const agent_place& place) {
  self->state.scopes.know(place.directory);
  self->state.readers.client_came(client, place, self->clock().now());
}

} // namespace

alert_ledger_actor::behavior_type
alert_buffer(alert_ledger_actor::stateful_pointer<alert_buffer_state> self,
             limits_of<alert_room, push_room> limit, buffer_surroundings surroundings) {
  auto& state = self->state;
  state.locator = std::move(surroundings.locator);
  state.scopes = alert_scopes{std::move(surroundings.home)};
  state.log = alert_log{limit};
  state.ledger = shown_ledger{limit.alert};
  state.readers = reader_directory{limit.alert};
  state.limit = limit;
  guard_exceptions(self);
  self->set_down_handler([self](const caf::down_msg& down) {
    std::erase_if(self->state.listeners,
                  [&](const auto& row) { return row.second.address() == down.source; });
  });
  return {
      [self](alert_atom, const alert_ptr& a, const ticket_ptr& ticket) {
        take_in(self, a, ticket);
      },
      [self](drain_atom, client_id client) {
        return drain(self, client, self->state.limit.alert.block_bytes);
      },
      [self](drain_atom, client_id client, std::uint64_t bytes) {
        return drain(self, client, bytes);
      },
      [self](list_atom, client_id client) { return list(self, client); },
      [self](shown_atom, client_id client, const told_alerts& told, shown_channel by) {
        mark_shown(self, reader_of(self, client), unchanged(self->state.log, told), by);
      },
      [self](pushed_atom, client_id client, std::uint64_t alerts) {
        self->state.ledger.note_sent(reader_of(self, client), alerts);
      },
      [self](alert_atom, client_id client, const alert_command& asked) {
        return do_with_alert(self, client, asked);
      },
      [self](clear_atom, client_id client) { pass_over(self, client); },
      [self](forget_atom, client_id client, const id_list& ids) {
        take_back(self->state, reader_of(self, client), ids);
      },
      [self](join_atom, client_id client, const agent_place& place) { join(self, client, place); },
      [self](join_atom, client_id client, const agent_place& place, const alert_sink& listener) {
        join(self, client, place);
        self->state.listeners[client] = listener;
        self->monitor(listener);
      },
      [self](join_atom, client_id client, const std::string& conversation) {
        join_histories(self->state,
                       self->state.readers.client_spoke(client, conversation, self->clock().now()));
      },
      [self](scope_atom, client_id client, const std::vector<std::string>& directories) {
        for (const auto& directory : directories)
          self->state.scopes.know(directory);
        self->state.readers.client_works_in(client, directories);
      },
      [self](scope_atom, client_id client, const scope_change& change) {
        return change_scope(self, client, change);
      },
      [self](scope_atom, client_id client) { return trees_of(self, client); },
      [self](scope_atom, const provenance& from) {
        return self->state.scopes.concerned(from, self->clock().now());
      },
      [self](scope_atom, client_id client, const provenance_list& asked) {
        return foreign_of(self, client, asked);
      },
      [self](forget_atom, client_id client) {
        self->state.listeners.erase(client);
        if (const auto gone = self->state.readers.client_left(client, self->clock().now()))
          forget(self->state, gone);
        forget_expired(self);
      },
      [self](hook_atom, const hook_question& question) { return answer_hook(self, question); },
      [self](cancel_atom, reader_id reader, const id_list& ids) {
        take_back(self->state, reader, ids);
      },
      [self](status_atom, client_id client) {
        return report_of(self->state, *self->state.readers.find(reader_of(self, client)),
                         self->clock().now());
      },
      [self](health_atom) { return health_of(self); },
  };
}

} // namespace gasoline
